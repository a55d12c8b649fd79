import { describe, expect, it } from "vitest";
import { isLater, ToldVersions } from "../../src/cluster/watch/watch-thread.ts";

function object(uid: string, resourceVersion: string): object {
  return { metadata: { uid, resourceVersion } };
}

describe("isLater()", () => {
  it.each([
    { version: "10", than: "9", later: true, why: "they are numbers" },
    { version: "9", than: "10", later: false, why: "they are numbers" },
    { version: "9007199254740993", than: "9007199254740992", later: true, why: "of any size" },
    { version: "10", than: "10", later: false, why: "the same is not later" },
    { version: "abc", than: "10", later: true, why: "what cannot be compared is news" },
    { version: "abc", than: "abc", later: false, why: "the same is not later, whatever it says" },
  ])("$version than $than: $later, for $why", ({ version, than, later }) => {
    expect(isLater(version, than)).toBe(later);
  });
});

describe("ToldVersions", () => {
  it("takes no change again, and none that is older than the last", () => {
    const told = new ToldVersions();
    expect(["5", "7", "7", "6", "8"].map((version) => told.take(object("a", version), false))).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    expect(told.take(object("b", "6"), false)).toBe(true);
  });

  it("takes nothing that the watch began after", () => {
    const told = new ToldVersions();
    told.beginAfter("10");
    expect(told.take(object("a", "9"), false)).toBe(false);
    expect(told.take(object("a", "11"), false)).toBe(true);
  });

  it("takes a deletion with the version of the last change, but none from before it", () => {
    const told = new ToldVersions();
    told.take(object("a", "10"), false);
    expect(told.take(object("a", "9"), true)).toBe(false);
    expect(told.take(object("a", "10"), true)).toBe(true);
  });

  it("begins anew with a list, for a server that was restored counts from lower numbers", () => {
    const told = new ToldVersions();
    told.beginAfter("1000");
    told.take(object("a", "1001"), false);
    told.clear();
    told.beginAfter("50");
    expect(told.take(object("a", "51"), false)).toBe(true);
  });

  it("remembers the latest thousand objects, and takes what has no version", () => {
    const told = new ToldVersions();
    for (let index = 0; index < 1_100; index++) told.take(object(`${index}`, "10"), false);
    expect(told.take(object("1099", "9"), false)).toBe(false);
    expect(told.take(object("0", "9"), false)).toBe(true);
    expect(told.take({ metadata: { name: "a" } }, false)).toBe(true);
  });
});
