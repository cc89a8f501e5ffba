import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A demo that is kept. */
export interface KeptPlace {
  readonly directory: string;
  /** Whoever holds it may change the database of this demo. */
  readonly attackToken: string;
}

const fileIn = (directory: string): string => join(directory, 'attack-token');

/** Makes what lets somebody attack the database of one demo, and leaves it where its service takes it: no list of processes shows it. */
export const makeAttackToken = (directory: string): string => {
  const token = `attack_${randomBytes(24).toString('base64url')}`;
  writeFileSync(fileIn(directory), token, { mode: 0o600 });
  return token;
};

/** Takes it away from there. */
export const takeAttackToken = async (directory: string): Promise<string> => {
  const token = await readFile(fileIn(directory), 'utf8');
  await rm(fileIn(directory));
  return token;
};
