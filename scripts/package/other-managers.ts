import { load } from "js-yaml";
import manifest from "../../package.json" with { type: "json" };
import { archiveName, programName, TARGETS, type Target } from "./targets.ts";

/** `sums` has the SHA-256 of each archive, in hex, by the name of the archive. */
interface Release {
  readonly version: string;
  readonly shortDescription: string;
  readonly sums: ReadonlyMap<string, string>;
}

export function shortDescriptionOf(krewManifest: string): string {
  return (load(krewManifest) as { readonly spec: { readonly shortDescription: string } }).spec.shortDescription;
}

export function homebrewFormula(release: Release): string {
  const on = (os: Target["os"]): string => {
    const blocks = targetsOf(os).map(
      (target) => `    on_${target.arch === "arm64" ? "arm" : "intel"} do
      url "${addressOf(target, release)}"
      sha256 "${sumOf(target, release)}"
    end`,
    );
    return `  on_${os === "darwin" ? "macos" : os} do\n${blocks.join("\n")}\n  end`;
  };
  return `class KubectlBackoff < Formula
  desc "${release.shortDescription}"
  homepage "${manifest.homepage}"
  version "${release.version}"
  license "${manifest.license}"

${on("darwin")}

${on("linux")}

  def install
    bin.install "kubectl-backoff"
    bin.install_symlink "kubectl-backoff" => "kubectl_complete-backoff"
  end

  test do
    assert_match "kubectl-backoff v#{version}", shell_output("#{bin}/kubectl-backoff version")
  end
end
`;
}

export function scoopManifest(release: Release): string {
  const architecture = Object.fromEntries(
    targetsOf("windows").map((target) => [
      target.arch === "amd64" ? "64bit" : target.arch,
      { url: addressOf(target, release), hash: sumOf(target, release) },
    ]),
  );
  const scoop = {
    version: release.version,
    description: release.shortDescription,
    homepage: manifest.homepage,
    license: manifest.license,
    architecture,
    bin: programName({ os: "windows" }),
  };
  return `${JSON.stringify(scoop, null, 4)}\n`;
}

const NIX_SYSTEMS: Readonly<Record<string, string>> = {
  "linux-amd64": "x86_64-linux",
  "linux-arm64": "aarch64-linux",
  "darwin-amd64": "x86_64-darwin",
  "darwin-arm64": "aarch64-darwin",
};

export function nixExpression(release: Release): string {
  const sources = [...targetsOf("linux"), ...targetsOf("darwin")].map(
    (target) => `    ${NIX_SYSTEMS[`${target.os}-${target.arch}`]} = {
      url = "${addressOf(target, release)}";
      sha256 = "${sumOf(target, release)}";
    };`,
  );
  return `{ lib, stdenv, fetchurl, autoPatchelfHook }:

let
  sources = {
${sources.join("\n")}
  };
in
stdenv.mkDerivation {
  pname = "kubectl-backoff";
  version = "${release.version}";
  src = fetchurl sources.\${stdenv.hostPlatform.system};
  sourceRoot = ".";

  nativeBuildInputs = lib.optionals stdenv.hostPlatform.isLinux [ autoPatchelfHook ];
  # The program is at the end of the executable; stripping it would remove that.
  dontStrip = true;

  installPhase = ''
    install -D -m 755 kubectl-backoff $out/bin/kubectl-backoff
    ln -s kubectl-backoff $out/bin/kubectl_complete-backoff
    install -D -m 644 -t $out/share/licenses/kubectl-backoff LICENSE LICENSES-OF-OTHERS
  '';

  meta = {
    description = "${release.shortDescription}";
    homepage = "${manifest.homepage}";
    license = lib.licenses.asl20;
    mainProgram = "kubectl-backoff";
    platforms = lib.attrNames sources;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
`;
}

function targetsOf(os: Target["os"]): readonly Target[] {
  return TARGETS.filter((target) => target.os === os);
}

function addressOf(target: Target, { version }: Release): string {
  return `${manifest.homepage}/releases/download/v${version}/${archiveName(target, version)}`;
}

function sumOf(target: Target, { version, sums }: Release): string {
  const sum = sums.get(archiveName(target, version));
  if (sum === undefined) throw new Error(`There is no ${archiveName(target, version)} to sum up.`);
  return sum;
}
