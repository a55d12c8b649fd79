import { describeDocumentedFigures } from "./documented-figures.ts";
import { describeForms } from "./forms.ts";
import { describeObjects } from "./objects.ts";
import { describePredictions } from "./predictions.ts";
import { loadRecorded } from "./recorded.ts";
import { describeScenarios } from "./scenarios.ts";
import { describeSimulations } from "./simulations.ts";

/** Shared, because reading the recordings and explaining their waits takes long. */
const recorded = loadRecorded();

describeObjects(recorded);
describeScenarios(recorded);
describePredictions(recorded);
describeDocumentedFigures(recorded);
describeForms(recorded);
describeSimulations(recorded);
