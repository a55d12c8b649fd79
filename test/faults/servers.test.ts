import { SERVER_FAULTS } from "../support/faults-catalogue.ts";
import { describeFaults } from "../support/faults-catalogue-tests.ts";

describeFaults(SERVER_FAULTS);
