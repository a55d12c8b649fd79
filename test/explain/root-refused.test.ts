import { expect, it } from "vitest";
import { aStatus, T0_MS, waiting } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

it("says that a container that may not run as root needs another image or template", () => {
  const message = 'container has runAsNonRoot and image will run as root (pod: "web_shop(ae4f1971)", container: app)';
  const status = aStatus({ state: waiting("CreateContainerConfigError", message), containerID: null });
  const { why, obstacle } = explainApp({ statuses: [status], phase: "Pending" }, { atMs: T0_MS + 20_000 });
  expect(obstacle?.cause).toBe("container has runAsNonRoot and image will run as root");
  expect(why).toMatch(
    / The kubelet retries every 10-15s, in vain until the image or the pod template names another user\.$/,
  );
});
