import { NETWORK_FAULTS } from "../../lab/faults/catalogue.ts";
import { describeFaults } from "../../lab/faults/describe-faults.ts";

describeFaults(NETWORK_FAULTS);
