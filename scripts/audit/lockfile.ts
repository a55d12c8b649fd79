/** Versions by name, as a package asks for them. */
export type Ranges = Readonly<Record<string, string>>;

/** A package as package-lock.json has it. */
export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Ranges;
  readonly devDependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** package-lock.json. */
export interface Lockfile {
  readonly name: string;
  readonly version: string;
  readonly lockfileVersion: number;
  /** By folder; "" is the project itself. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** What counts of package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Ranges;
  readonly devDependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
}

/** One package of the lock, with its folder. */
export interface Locked extends LockedPackage {
  readonly folder: string;
  readonly name: string;
}

const BEFORE_NAME = /^.*node_modules\//;

/** All packages but the project itself. */
export function lockedPackages({ packages }: Lockfile): Locked[] {
  const others = Object.entries(packages).filter(([folder]) => folder !== "");
  return others.map(([folder, locked]) => ({ ...locked, folder, name: folder.replace(BEFORE_NAME, "") }));
}

/** The package that code in `folder` gets by this name: the nearest one upwards, as Node looks for it. */
export function foundFrom(lock: Lockfile, folder: string, name: string): Locked | null {
  for (let at = folder; ; at = at.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, "")) {
    const candidate = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    const locked = lock.packages[candidate];
    if (locked !== undefined) return { ...locked, folder: candidate, name };
    if (at === "") return null;
  }
}

/** What a package has to have beside it, and what it may do without on other platforms. */
export function neededBy(locked: LockedPackage): [string, string][] {
  const isOptionalPeer = ([name]: [string, string]): boolean => locked.peerDependenciesMeta?.[name]?.optional === true;
  const peers = Object.entries(locked.peerDependencies ?? {}).filter((peer) => !isOptionalPeer(peer));
  const kinds = [locked.dependencies, locked.devDependencies, locked.optionalDependencies];
  return [...kinds.flatMap((ranges) => Object.entries(ranges ?? {})), ...peers];
}
