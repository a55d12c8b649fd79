import { SERVER_FAULTS } from "../../lab/faults/catalogue.ts";
import { describeFaults } from "../../lab/faults/describe-faults.ts";

describeFaults(SERVER_FAULTS);
