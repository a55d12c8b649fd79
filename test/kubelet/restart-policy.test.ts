import { describe, expect, it } from "vitest";
import {
  decideRestart,
  type RestartSpec,
  restartingExits,
  restartPolicyInForce,
} from "../../src/kubelet/restart-policy.ts";
import { type KubeletTraits, kubeletTraits } from "../../src/kubelet/traits.ts";
import { rowsOf } from "../support/text-table.ts";

const NEW = kubeletTraits({ major: 1, minor: 37 }, {});
const OLD = kubeletTraits({ major: 1, minor: 33 }, {});
const APP: RestartSpec = { type: "app", podPolicy: "Always", containerPolicy: null, rules: [] };
const ON_42 = [{ action: "Restart", operator: "In", exitCodes: [42] }] as const;
const ALL_ON_88 = [{ action: "RestartAllContainers", operator: "In", exitCodes: [88] }] as const;
const NOT_IN = [{ action: "Restart", operator: "NotIn", exitCodes: [3] }] as const;

const SPECS: Readonly<Record<string, Partial<RestartSpec>>> = {
  Always: {},
  OnFailure: { podPolicy: "OnFailure" },
  Never: { podPolicy: "Never" },
  "Never, own OnFailure": { podPolicy: "Never", containerPolicy: "OnFailure" },
  "Never, rule on 42": { podPolicy: "Never", rules: ON_42 },
  "Never, rule not on 3": { podPolicy: "Never", rules: NOT_IN },
  "Always, all on 88": { rules: ALL_ON_88 },
  "Never, all, rule on 88": { podPolicy: "Never", rules: [...ALL_ON_88, { ...ON_42[0], exitCodes: [88] }] },
  init: { type: "init" },
  "Never, init": { type: "init", podPolicy: "Never" },
  "Never, sidecar": { type: "sidecar", podPolicy: "Never", containerPolicy: "Always" },
  ephemeral: { type: "ephemeral" },
};

const DECISIONS = `
  container               exit             kubelet  decision     why
  Always                  1                any      restart      Always restarts a failure
  Always                  0                any      restart      Always restarts a success too
  OnFailure               1                any      restart      OnFailure restarts a failure
  OnFailure               0                any      stay-down    OnFailure leaves a success down
  OnFailure               0 by its probe   any      restart      a probe kill restarts under OnFailure even with exit code 0
  Never                   1                any      stay-down    Never leaves a failure down
  init                    0                any      stay-down    an init container that has succeeded is done
  init                    4                any      restart      a failed init container restarts
  Never, init             4                any      stay-down    a failed init container of a Never pod stays down
  Never, sidecar          0                any      restart      every kubelet knows the policy of a sidecar
  ephemeral               1                any      stay-down    an ephemeral container never restarts
  Never, own OnFailure    1                new      restart      a container's policy wins over the pod's
  Never, own OnFailure    1                old      stay-down    a kubelet that knows no container's policy goes by the pod's
  Never, rule on 42       42               new      restart      a rule that matches comes before the policies
  Never, rule on 42       42               old      stay-down    a kubelet that knows no rules goes by the policies
  Never, rule on 42       1                new      stay-down    if no rule matches, the policies decide
  Never, rule on 42       42 by its probe  new      stay-down    the rules do not apply to a probe kill
  Never, rule not on 3    1                new      restart      NotIn matches every other exit code
  Always, all on 88       88               new      restart-all  a rule may restart all containers
  Never, all, rule on 88  88               without  stay-down    without its gate, a rule for all containers hides a later rule
`;

const RESTARTING_EXITS = `
  container          kubelet  exits
  Always             any      any
  OnFailure          any      failures
  Never              any      none
  init               any      failures
  Never, sidecar     any      any
  ephemeral          any      none
  Never, rule on 42  new      any
  Never, rule on 42  old      none
`;

const WITHOUT_ALL = kubeletTraits({ major: 1, minor: 37 }, { RestartAllContainersOnContainerExits: false });

const traitsOf = (kubelet: string): KubeletTraits[] =>
  kubelet === "without" ? [WITHOUT_ALL] : kubelet === "any" ? [NEW, OLD] : [kubelet === "new" ? NEW : OLD];

describe("decideRestart()", () => {
  it.each(rowsOf<"container" | "exit" | "kubelet" | "decision" | "why">(DECISIONS))(
    "returns $decision: $why",
    (row) => {
      const [exitCode = 0, isByProbe] = [Number.parseInt(row.exit, 10), row.exit.endsWith("probe")];
      for (const traits of traitsOf(row.kubelet))
        expect(decideRestart({ ...APP, ...SPECS[row.container] }, exitCode, isByProbe, traits)).toBe(row.decision);
    },
  );
});

describe("restartingExits()", () => {
  it.each(rowsOf<"container" | "kubelet" | "exits">(RESTARTING_EXITS))(
    "for $container on $kubelet kubelet returns: $exits",
    (row) => {
      for (const traits of traitsOf(row.kubelet))
        expect(restartingExits({ ...APP, ...SPECS[row.container] }, traits)).toBe(row.exits);
    },
  );
});

describe("restartPolicyInForce()", () => {
  it("is a sidecar's own policy on every kubelet", () => {
    for (const traits of [NEW, OLD])
      expect(restartPolicyInForce({ ...APP, ...SPECS["Never, sidecar"] }, traits)).toBe("Always");
  });
});
