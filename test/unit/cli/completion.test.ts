import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProgram, type Commands } from '../../../adapters/cli/program.ts';
import { hasTools } from '../../support/runner/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'notary-completion-'));
const fileOf = (shell: string): string => join(folder, shell === 'zsh' ? '_notary' : shell);

const printed = async (...args: readonly string[]): Promise<{ code: number; text: string }> => {
  let text = '';
  const io = {
    stdout: (part: string) => (text += part),
    stderr: (part: string) => (text += part),
    isTTY: false,
  };
  const code = await createProgram({} as Commands, io as never, '0.1.0').run(args);
  return { code, text };
};

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(fileOf(shell), (await printed('completion', shell)).text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The words that a shell offers after a line, which ends where the cursor is. */
type Offered = (line: readonly string[]) => readonly string[];

const ran = (command: string, ...args: readonly string[]): readonly string[] =>
  execFileSync(command, args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const SHELLS: readonly (readonly [string, Offered])[] = [
  [
    'bash',
    (line) =>
      ran(
        'bash',
        '-c',
        `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _notary; printf '%s\\n' "\${COMPREPLY[@]}"`,
        fileOf('bash'),
        ...line,
      ),
  ],
  [
    'zsh',
    // compadd works in a line editor alone, so it is replaced by one that prints what fits.
    (line) =>
      ran(
        'zsh',
        '-f',
        '-c',
        `compdef() { :; }; _files() { :; }; compadd() { print -l -- \${(M)offered:#\${words[CURRENT]}*}; }
         source "$1"; shift; words=("$@"); CURRENT=$#; _notary`,
        'zsh',
        fileOf('zsh'),
        ...line,
      ),
  ],
  [
    'fish',
    (line) =>
      ran(
        'fish',
        '--no-config',
        '-c',
        'source $argv[1]; complete -C "$argv[2]"',
        fileOf('fish'),
        line.join(' '),
      ).map((offer) => offer.split('\t')[0]!),
  ],
];

describe.each(SHELLS)('completion of %s', (shell, offered) => {
  const isThere = hasTools(shell);

  it.skipIf(!isThere)('offers every command, and what is below one', () => {
    const commands = offered(['notary', '']);
    expect(commands).toEqual(
      expect.arrayContaining(['serve', 'keys', 'doctor', 'restore', 'anchor', 'completion']),
    );
    expect(commands, 'a hidden command').not.toContain('kept-demo');
    expect(offered(['notary', 'do'])).toEqual(['doctor']);
    expect(offered(['notary', 'keys', 'm'])).toEqual(['mint']);
    expect(offered(['notary', 'anchor', 'v'])).toEqual(['verify']);
  });

  it.skipIf(!isThere)(
    'offers the options of the command at hand, and the choices of its argument',
    () => {
      expect(offered(['notary', 'keys', 'mint', '--a'])).toEqual(['--allowed-ips']);
      expect(offered(['notary', 'backup', '--o'])).toEqual(['--out']);
      expect(offered(['notary', 'doctor', '--a'])).toEqual([]);
      expect(offered(['notary', 'completion', 'f'])).toEqual(['fish']);
      expect(offered(['notary', 'notarize', '--d'])).toEqual(['--digest']);
      expect(offered(['notary', 'verdict', 'r', 'a'])).toEqual(['accept']);
      expect(offered(['notary', 'types', 'r'])).toEqual(['register']);
    },
  );

  it.skipIf(!isThere)('offers the contexts of the profile where one is meant', () => {
    // What `notary contexts list --names` prints is held by test/e2e/shell.
    const path = process.env['PATH'];
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(
      join(bin, 'notary'),
      '#!/bin/sh\n[ "$*" = "contexts list --names" ] && printf "local\\nbuilder\\n"\n',
      { mode: 0o755 },
    );
    vi.stubEnv('PATH', `${bin}:${path}`);
    try {
      expect(offered(['notary', 'list', '--context', 'b'])).toEqual(['builder']);
      expect(offered(['notary', 'contexts', 'use', 'l'])).toContain('local');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.skipIf(!isThere)('is a text that the shell reads without a complaint', () => {
    expect(ran(shell, '-n', fileOf(shell))).toEqual([]);
  });
});

describe('notary completion', () => {
  it('refuses another shell with exit code 2', async () => {
    const { code, text } = await printed('completion', 'tcsh');
    expect([code, text]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  });
});

describe('help', () => {
  const commands = async (): Promise<readonly string[]> => {
    const { text } = await printed('completion', 'fish');
    return [
      ...text.matchAll(/^complete -c notary -n '__notary_at '\\'''\\''' -f -a '([\w-]+)'/gm),
    ].map(([, name]) => name!);
  };

  it('says of every command what it does and how it ends', async () => {
    const program = (await printed('--help')).text;
    expect(program).toMatch(/Exit codes\. 0: done/);
    for (const name of (await commands()).filter((one) => one !== 'help')) {
      const { code, text } = await printed(name, '--help');
      expect([name, code]).toEqual([name, 0]);
      expect(text).toMatch(/^Usage: notary /m);
      expect(program).toMatch(new RegExp(`^  ${name}\\b.+\\w{3}`, 'm'));
    }
    expect((await commands()).length).toBeGreaterThan(15);
  });
});
