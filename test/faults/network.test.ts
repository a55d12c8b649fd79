import { NETWORK_FAULTS } from "../support/faults-catalogue.ts";
import { describeFaults } from "../support/faults-catalogue-tests.ts";

describeFaults(NETWORK_FAULTS);
