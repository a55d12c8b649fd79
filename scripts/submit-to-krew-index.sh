#!/usr/bin/env bash
# Proposes a manifest to krew-index: submit-to-krew-index.sh MANIFEST
# As the user whose token is in GH_TOKEN, from a fork that belongs to them. To run it again changes nothing that is done already.
set -euo pipefail

manifest=$1
text=$(cd "$(dirname "$0")" && pwd)/krew-index-pull-request.md
index=kubernetes-sigs/krew-index

# The only lines with that indentation.
name=$(sed -n 's/^  name: //p' "$manifest")
version=$(sed -n 's/^  version: //p' "$manifest")
branch=$name-$version

user=$(gh api user --jq .login)
fork=$user/${index#*/}
gh auth setup-git
gh repo fork "$index" --clone=false
gh repo sync "$fork"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
gh repo clone "$fork" "$folder" -- --quiet --depth=1
if [ -e "$folder/plugins/$name.yaml" ]; then title="Update $name to $version"; else title="Add $name $version"; fi
cp "$manifest" "$folder/plugins/$name.yaml"

cd "$folder"
base=$(git symbolic-ref --short HEAD)
git checkout --quiet -b "$branch"
git add "plugins/$name.yaml"
if git diff --cached --quiet; then
  echo "krew-index has $name $version already."
  exit 0
fi
git -c user.name="$user" -c user.email="$user@users.noreply.github.com" commit --quiet --message "$title"
git push --quiet --force origin "$branch"

open=$(gh pr list --repo "$index" --head "$branch" --author "$user" --state open --json url --jq '.[].url')
if [ -n "$open" ]; then
  echo "It is proposed already: $open"
else
  gh pr create --repo "$index" --base "$base" --head "$user:$branch" --title "$title" --body-file "$text"
fi
