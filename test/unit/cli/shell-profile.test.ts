import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProfileFile } from '../../../adapters/cli/shell/profile-file.ts';
import {
  EMPTY_PROFILE,
  parseProfile,
  profileText,
  type Context,
  type Profile,
} from '../../../adapters/cli/shell/profile.ts';

const context: Context = {
  url: 'https://notary.example',
  fingerprint: 'ab'.repeat(32),
  role: 'agent',
  orgId: null,
  agentId: null,
  directory: null,
  credential: { kind: 'api-key', apiKey: 'k', keyId: 'id', expiresAt: null },
};
const certificate: Context = {
  ...context,
  credential: {
    kind: 'certificate',
    certificate: 'c',
    privateKey: { d: 'd', x: 'x' },
    expiresAt: '2026-01-01T00:00:00Z',
    login: { issuer: 'i', clientId: 'c', scope: null, resource: null, audience: null },
  },
};
const profile: Profile = {
  current: 'a',
  contexts: new Map([
    ['a', context],
    ['b', certificate],
  ]),
};

let directory: string;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'notary-profile-')), 'config');
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

const save = (file: ProfileFile, one: Profile): Promise<void> =>
  file.exclusively(({ save: keep }) => keep(one));

describe('a profile', () => {
  it('is read as it was written', () => {
    expect(parseProfile(profileText(profile), 'p')).toEqual(profile);
  });

  it.each<[string, (text: string) => string]>([
    [
      'a name of two words',
      (text) => text.replace('"a":', '"a b":').replace('"current": "a"', '"current": null'),
    ],
    ['a url that is none', (text) => text.replace('https://notary.example', 'notary')],
    ['a fingerprint that is none', (text) => text.replace('abab', 'abax')],
    ['a key that is no text', (text) => text.replace('"apiKey": "k"', '"apiKey": null')],
    ['a certificate without its key', (text) => text.replace('"d": "d"', '"d": 1')],
    [
      'contexts that are a list',
      (text) => text.replace(/"contexts": \{[^]*\}\n\}/, '"contexts": []}'),
    ],
  ])('with %s is refused', (_what, change) => {
    const text = profileText(profile);
    expect(change(text)).not.toBe(text);
    expect(() => parseProfile(change(text), 'p')).toThrow(/^The profile p is not readable/);
  });

  it('named by a member of Object is none of ours', () => {
    const text = profileText(profile).replace('"current": "a"', '"current": "constructor"');
    expect(() => parseProfile(text, 'p')).toThrow('current names no context');
  });
});

describe('the file of a profile', () => {
  it('is empty where there is none, and is made for its owner alone, in one step', async () => {
    const file = new ProfileFile(directory);
    expect(await file.read()).toEqual(EMPTY_PROFILE);
    expect(existsSync(directory)).toBe(false);
    await save(file, profile);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(readdirSync(directory)).toEqual(['profile.json']);
    expect(await file.read()).toEqual(profile);
  });

  it.each([0o640, 0o604, 0o620, 0o602])('is not read with the mode %o', async (mode) => {
    const file = new ProfileFile(directory);
    await save(file, profile);
    chmodSync(file.path, mode);
    await expect(file.read()).rejects.toThrow('chmod 600');
    await expect(save(file, profile)).rejects.toThrow('chmod 600');
  });

  it('loses no change of several commands at the same time', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `c${at}`);
    await Promise.all(
      names.map((name) =>
        new ProfileFile(directory).exclusively(async (held) => {
          const contexts = new Map(held.profile.contexts).set(name, context);
          await new Promise((done) => setTimeout(done, 1));
          await held.save({ current: null, contexts });
        }),
      ),
    );
    const { contexts } = await new ProfileFile(directory).read();
    expect([...contexts.keys()].toSorted()).toEqual(names.toSorted());
  });

  it('is not held by a process that is gone', async () => {
    const file = new ProfileFile(directory);
    await save(file, profile);
    // Above the largest id that Linux gives.
    writeFileSync(`${file.path}.lock`, `4194305 ${hostname()}`);
    await save(file, EMPTY_PROFILE);
    expect(await file.read()).toEqual(EMPTY_PROFILE);
    expect(readdirSync(directory)).toEqual(['profile.json']);
  });

  it('is held by a process of another machine, and by one that left its work half done, but not for ever', async () => {
    const file = new ProfileFile(directory, 200);
    await save(file, profile);
    const lock = `${file.path}.lock`;
    for (const [holder, isBroken] of [
      ['4194305 elsewhere', false],
      ['', false],
      [`4194305 ${hostname()}`, true],
    ] as const) {
      writeFileSync(lock, holder);
      if (isBroken) writeFileSync(`${lock}.break`, '');
      await expect(save(file, EMPTY_PROFILE)).rejects.toThrow('If none runs, remove');
    }
    expect(await file.read()).toEqual(profile);
  });

  it('keeps nothing that it could not read again', async () => {
    const file = new ProfileFile(directory);
    await save(file, profile);
    for (const one of [{ role: 5 }, { orgId: { a: 1 } }, { credential: { kind: 'api-key' } }])
      await expect(
        save(file, {
          current: null,
          contexts: new Map(profile.contexts).set('other', { ...context, ...(one as object) }),
        }),
      ).rejects.toThrow('no profile can hold');
    await expect(
      save(file, { current: null, contexts: new Map([['two words', context]]) }),
    ).rejects.toThrow('no profile can hold');
    expect(await file.read()).toEqual(profile);
    expect(readdirSync(directory)).toEqual(['profile.json']);
  });

  it('is refused where it is larger than any', async () => {
    const file = new ProfileFile(directory);
    await save(file, profile);
    writeFileSync(file.path, ' '.repeat(2 ** 20 + 1), { mode: 0o600 });
    await expect(file.read()).rejects.toThrow('too large');
  });

  it('stays where a link leads to', async () => {
    const file = new ProfileFile(directory);
    await save(file, EMPTY_PROFILE);
    const place = join(directory, 'elsewhere.json');
    writeFileSync(place, profileText(EMPTY_PROFILE), { mode: 0o600 });
    rmSync(file.path);
    symlinkSync(place, file.path);
    await save(file, profile);
    expect(parseProfile(readFileSync(place, 'utf8'), place)).toEqual(profile);
  });

  it('is whole again where a change fails', async () => {
    const file = new ProfileFile(directory);
    await save(file, profile);
    await expect(file.exclusively(() => Promise.reject(new Error('in between')))).rejects.toThrow(
      'in between',
    );
    expect(await file.read()).toEqual(profile);
    expect(readdirSync(directory)).toEqual(['profile.json']);
  });
});
