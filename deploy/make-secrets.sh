#!/usr/bin/env bash
# Makes the secrets that docker-compose.yml mounts, each a file, in a new directory: bash deploy/make-secrets.sh secrets
# Keep a copy of them apart from the backups of the database: without them it is of no use.
set -euo pipefail

directory=${1:?name a directory that does not exist yet}
mkdir -m 0700 "$directory"
cd "$directory"

# Compose mounts the files as they are, and neither the service nor MySQL runs as the user who makes them: each file can be
# read by everybody who comes into the directory, which is its owner alone.
umask 022
for name in api-key-pepper secrets-key signer-kek; do openssl rand -base64 32 > "$name"; done
for name in mysql-root-password mysql-service-password mysql-migrate-password metrics-token grafana-password; do
  openssl rand -hex 32 > "$name"
done
echo "mysql://notary:$(cat mysql-service-password)@mysql:3306/notary" > database-url
echo "mysql://notary_migrate:$(cat mysql-migrate-password)@mysql:3306/notary" > database-url-migrate
