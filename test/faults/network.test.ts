import { NETWORK_FAULTS } from "../support/faults-catalogue/catalogue.ts";
import { describeFaults } from "../support/faults-catalogue/describe-faults.ts";

describeFaults(NETWORK_FAULTS);
