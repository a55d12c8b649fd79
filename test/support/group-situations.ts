import type { Explanation, PodExplanation, Since, Workload } from "../../src/explain/answer/explanation.ts";
import { prose } from "../../src/explain/answer/prose.ts";
import { inGroups } from "../../src/explain/groups.ts";
import { stated } from "../../src/explain/words/evidence.ts";
import { atClock, backingOff, between, container, exit, explanation, pod } from "./explanations.ts";

const CHAIN = [
  { kind: "ReplicaSet", name: "cart-6649d49b6c", basis: "observed" as const },
  { kind: "Deployment", name: "cart", basis: "observed" as const },
];

const SINCE: Since = {
  kind: "with",
  revision: 2,
  name: "cart-6649d49b6c",
  comparedRevision: 1,
  atMs: atClock("13:28:00"),
  settings: [
    {
      container: "app",
      path: "image",
      kind: "changed",
      old: "shop.example/cart:1.41.3",
      new: "shop.example/cart:1.42.0",
    },
    { container: "app", path: "env DB_HOST", kind: "changed", old: "db", new: "dbx" },
  ],
  isContainerNamed: false,
  isTelling: false,
  hasCrashed: true,
  isOtherImage: false,
  healthy: [],
};

const WORKLOAD: Workload = {
  kind: "Deployment",
  name: "cart",
  ready: 2,
  replicas: 5,
  unavailableSinceMs: null,
  rolloutStuckSinceMs: atClock("13:30:00"),
  cannotCreate: null,
};

function crashing(name: string, from: string, to: string): PodExplanation {
  const app = backingOff(80_000, {
    restartCount: 4,
    nextRestart: between(from, to),
    lastExit: exit("13:39:00", "13:39:05"),
    why: "The kubelet waits 1m20s after this exit, 2m40s after the next.",
  });
  const stuck = prose`the rollout of Deployment cart is stuck since ${{ atMs: atClock("13:30:00") }} (ProgressDeadlineExceeded: no progress for 10m): 3 of 5 replicas updated, 2 available. Kubernetes won't roll back by itself: kubectl rollout undo deployment/cart`;
  const ownerEvidence = [
    stated("rollout-stuck", stuck),
    {
      basis: "inferred" as const,
      rule: "crashes-since-revision",
      text: "the crashes began with revision 2; pods of revision 1 are stable",
    },
  ];
  return pod([app], {
    name: `cart-6649d49b6c-${name}`,
    verdict: "crash-looping",
    owners: CHAIN,
    since: SINCE,
    ownerEvidence,
    workload: WORKLOAD,
    availability: { sinceMs: atClock("13:28:02"), downMs: 690_000, share: 0.96, basis: "inferred" },
  });
}

export function stuckRollout(): Explanation {
  const fine = ["kq6zl", "p8d2x"].map((name) => {
    const owners = [
      { kind: "ReplicaSet", name: "cart-7c9f5d5b8", basis: "observed" as const },
      { kind: "Deployment", name: "cart", basis: "inferred" as const },
    ];
    return pod([container()], { name: `cart-7c9f5d5b8-${name}`, owners, ownerEvidence: [] });
  });
  const pods = [
    crashing("x2x7p", "13:40:55", "13:41:20"),
    crashing("b7wzd", "13:40:25", "13:40:51"),
    crashing("t9r4m", "13:41:00", "13:41:26"),
    ...fine,
  ];
  const selection = { matched: 84, leftOutFine: 70, leftOutFailing: 9, named: [] };
  return inGroups(explanation("13:40:00", pods), selection);
}

export function inferredOwner(): Explanation {
  const owners = [
    { kind: "ReplicaSet", name: "cart-6649d49b6c", basis: "observed" as const },
    { kind: "Deployment", name: "cart", basis: "inferred" as const },
  ];
  const gap = {
    code: "owner-forbidden",
    message:
      "No permission to read ReplicaSet cart-6649d49b6c (get replicasets). Can't tell whether a rollout or a limit of it is involved.",
  };
  return explanation("13:40:00", [
    {
      ...crashing("x2x7p", "13:40:55", "13:41:20"),
      owners,
      since: null,
      ownerEvidence: [],
      workload: null,
      gaps: [gap],
    },
  ]);
}
