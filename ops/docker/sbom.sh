#!/bin/sh
# Prints the packages of the image as CycloneDX JSON: of an installation without those of development, because npm takes
# what both need for a package of development.
set -eu
cd "$(dirname "$0")/../.."
folder="$(mktemp -d "${TMPDIR:-/tmp}/launchwire-sbom-XXXXXX")"
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/launchwire"
cp -R package.json bun.lock bunfig.toml patches "$folder/launchwire"
mkdir "$folder/launchwire/.config"
cp .config/package.json "$folder/launchwire/.config"
cd "$folder/launchwire"
bun install --frozen-lockfile --production --filter ./ --ignore-scripts --no-progress >&2
npm pkg delete devDependencies workspaces
npm sbom --sbom-format=cyclonedx
