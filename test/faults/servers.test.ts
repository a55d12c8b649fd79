import { SERVER_FAULTS } from "../support/faults-catalogue/catalogue.ts";
import { describeFaults } from "../support/faults-catalogue/describe-faults.ts";

describeFaults(SERVER_FAULTS);
