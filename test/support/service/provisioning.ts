import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

export interface ProvisioningPlace {
  readonly path: string;
  readonly secrets: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files by their place below the folder; what is no text is written as JSON. */
  write(files: Readonly<Record<string, unknown>>): void;
  remove(...files: readonly string[]): void;
  /** No file at all, and the folders of the kinds stay. */
  clear(): void;
}

const KINDS = ['orgs', 'agents', 'api-keys', 'schemas', 'webhooks', 'trusted-issuers'];

/** An empty folder of provisioning files and one for secrets, removed after the test file. */
export const provisioningPlace = (): ProvisioningPlace => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-provisioning-'));
  const path = join(directory, 'files');
  const secrets = join(directory, 'secrets');
  const clear = (): void => {
    rmSync(path, { recursive: true, force: true });
    for (const kind of KINDS) mkdirSync(join(path, kind), { recursive: true });
  };
  clear();
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return {
    path,
    secrets,
    env: { PROVISIONING_PATH: path, PROVISIONING_SECRETS_DIR: secrets },
    write: (files) => {
      for (const [file, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, file)), { recursive: true });
        const text = typeof content === 'string' || content instanceof Uint8Array;
        writeFileSync(join(path, file), text ? content : JSON.stringify(content));
      }
    },
    remove: (...files) => {
      for (const file of files) rmSync(join(path, file), { recursive: true });
    },
    clear,
  };
};
