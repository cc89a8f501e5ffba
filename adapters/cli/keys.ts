import { InvalidArgumentError, Option, type Command } from 'commander';
import { isUuid } from '../../domain/kernel/ids.ts';
import {
  LINE_PATTERN,
  refusedAs,
  refusedCharacter,
  TEXT_PATTERN,
} from '../../domain/kernel/plain-text.ts';
import type { Io } from './io.ts';
import { keyLine } from './shell/key-line.ts';
import { listKeysByApi } from './shell/list-keys.ts';
import { addRotateCommand } from './shell/rotate.ts';
import { contextOption, type Shell } from './shell/shell.ts';
import { showOnce } from './show-once.ts';

/** An API key as the host may show it: never the key itself. */
export interface HostKey {
  readonly keyId: string;
  readonly role: string;
  readonly ownerId: string;
  readonly orgId: string | null;
  readonly label: string | null;
  readonly allowedIps: readonly string[] | null;
  /** ISO 8601, like the times below. */
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly isActive: boolean;
  readonly revokedAt: string | null;
}

/** Each works while the service runs and while it does not, given its settings and its secrets. */
export interface KeyCommands {
  mintKey(
    io: Io,
    input: {
      readonly label?: string;
      readonly expiresInSeconds?: number;
      readonly allowedIps?: readonly string[];
    },
  ): Promise<HostKey & { readonly apiKey: string; readonly signingKeyFingerprint: string }>;
  revokeKey(
    io: Io,
    input: { readonly keyId: string; readonly reason?: string },
  ): Promise<HostKey & { readonly wasActive: boolean; readonly isPlatformGoverned: boolean }>;
  listKeys(io: Io, role: KeyRole): Promise<readonly HostKey[]>;
}

const ROLES = ['platform', 'admin', 'agent'] as const;
type KeyRole = (typeof ROLES)[number];

interface ListOptions {
  readonly role?: KeyRole;
  readonly json?: true;
  readonly context?: string;
}

interface MintOptions {
  readonly label?: string;
  readonly expiresIn?: number;
  readonly allowedIps?: readonly string[];
  readonly json?: true;
}

/** `notary keys`: for whoever holds the host and its secrets, without an API key; and what a context does with its own. */
export const addKeysCommands = (
  program: Command,
  commands: KeyCommands,
  io: Io,
  shell: Shell,
): void => {
  const keys = program
    .command('keys')
    .description('API keys, on the host with its secrets (the way back in), or of a context')
    .addHelpText('after', HELP);

  keys
    .command('mint')
    .description('mint a platform key, which mints the others')
    .addOption(new Option('--role <role>', 'of the key').choices(['platform']).default('platform'))
    .addOption(new Option('--label <text>', 'what the key is for').argParser(checked(LINE_PATTERN)))
    .addOption(
      new Option(
        '--expires-in <seconds>',
        'how long it lives; without it, as long as the service lets a key live',
      ).argParser(wholeSeconds),
    )
    .addOption(
      new Option(
        '--allowed-ips <ranges>',
        'where it may be used from: CIDR ranges, joined by commas',
      ).argParser((text: string) => text.split(',').map((range) => range.trim())),
    )
    .option('--json', 'print it as JSON')
    .action(async ({ label, expiresIn, allowedIps, json }: MintOptions) => {
      const minted = await commands.mintKey(io, {
        ...(label === undefined ? {} : { label }),
        ...(expiresIn === undefined ? {} : { expiresInSeconds: expiresIn }),
        ...(allowedIps === undefined ? {} : { allowedIps }),
      });
      const text = json
        ? `${JSON.stringify(minted)}\n`
        : `A platform key, shown this once:\n\n  ${minted.apiKey}\n\nkeyId                   ${minted.keyId}\nexpires                 ${minted.expiresAt ?? 'never'}\nsigning key fingerprint sha256:${minted.signingKeyFingerprint}\n`;
      await showOnce(io, text, minted.keyId, (input) => commands.revokeKey(io, input));
    });

  keys
    .command('revoke')
    .description('revoke a key, of any role; running nodes refuse it within a second')
    .argument('<keyId>', 'of the key, as notary keys list shows it', keyIdOf)
    .addOption(
      new Option('--reason <text>', 'is sealed with the revocation').argParser(
        checked(TEXT_PATTERN),
      ),
    )
    .option('--json', 'print it as JSON')
    .action(async (keyId: string, { reason, json }: { reason?: string; json?: true }) => {
      const revoked = await commands.revokeKey(io, {
        keyId,
        ...(reason === undefined ? {} : { reason }),
      });
      if (json) return io.stdout(`${JSON.stringify(revoked)}\n`);
      io.stdout(
        revoked.wasActive
          ? `Revoked ${revoked.keyId}, a key of the role ${revoked.role}.\n`
          : `${revoked.keyId} is not active since ${revoked.revokedAt ?? 'before'}; nothing changed.\n`,
      );
      if (!revoked.isPlatformGoverned)
        io.stdout('No usable platform key is left. Mint one with: notary keys mint\n');
    });

  keys
    .command('list')
    .description('list the keys of a role, newest first; the keys themselves are stored nowhere')
    .addOption(
      new Option('--role <role>', 'of the keys; on the host default: platform').choices(ROLES),
    )
    .addOption(contextOption().helpGroup('With a profile, by the API:'))
    .option('--json', 'print them as JSON')
    .action(async ({ role, json, context }: ListOptions) => {
      if (context !== undefined)
        return listKeysByApi(shell, { role, context, ...(json ? { json } : {}) });
      const found = await commands.listKeys(io, role ?? 'platform');
      io.stdout(
        json ? `${JSON.stringify(found)}\n` : found.map((key) => `${keyLine(key)}\n`).join(''),
      );
    });

  addRotateCommand(keys, shell);
};

const HELP = `
On the host, with its secrets and without an API key: mint, revoke, list.
With a profile, by the API: list --context NAME, rotate.
Exit code 1: refused.`;

/** The same characters as over any protocol. */
const checked =
  (pattern: string) =>
  (text: string): string => {
    const refused = refusedCharacter(text, pattern);
    if (refused === null) return text;
    throw new InvalidArgumentError(`It must not hold ${refused}: ${refusedAs(pattern)}.`);
  };

const keyIdOf = (text: string): string => {
  const keyId = text.toLowerCase();
  if (!isUuid(keyId))
    throw new InvalidArgumentError('It is the id of a key, a UUID, and not the key itself.');
  return keyId;
};

const wholeSeconds = (text: string): number => {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new InvalidArgumentError('It is a whole number of seconds.');
  return Number(text);
};
