import type { HubKey } from '../../../domain/federation/hub-key.ts';
import type { RegisteredStatus } from '../../../domain/federation/peer.ts';
import type { Curve } from '../../../domain/identity/agent-public-key.ts';
import { decodeBase64Strict, encodeBase64 } from '../../../domain/kernel/base64.ts';
import {
  BYTES,
  HEX,
  INSTANT,
  INTEGER,
  nullable,
  oneOf,
  TEXT,
  translated,
  UUID,
} from '../tables/codec.ts';
import { column, type Column } from '../tables/column.ts';
import { sealedTable } from '../tables/sealed-table.ts';
import { table } from '../tables/tables.ts';
import { versionedById } from '../tables/versioned.ts';

/** A hub key is on Ed25519, so 32 bytes say all of it. */
const ED25519 = translated<Uint8Array, HubKey['publicKey']>(
  ({ raw }) => raw,
  (raw) => ({ curve: 'Ed25519' satisfies Curve, raw: Uint8Array.from(raw) }),
);

/** Several byte strings as one text: canonical base64, a line each. */
const LINES = translated<string, readonly Uint8Array[]>(
  (lines) => lines.map(encodeBase64).join('\n'),
  (text) =>
    text === '' ? [] : text.split('\n').map((line) => decodeBase64Strict(line) ?? new Uint8Array()),
);

export const HUB_KEYS = sealedTable(
  'hub_keys',
  {
    id: column('id', UUID),
    thumbprint: column('thumbprint', HEX),
    publicKey: column('public_key', ED25519),
    sealedPrivateKey: column('private_key', nullable(BYTES)),
    createdAt: column('created_at', INSTANT),
    retiredAt: column('retired_at', nullable(INSTANT)),
    version: column('row_version', INTEGER),
  },
  versionedById,
);

const CLAIM = {
  hubId: column('hub_id', UUID),
  baseUrl: column('base_url', TEXT),
  publicKey: column('public_key', ED25519),
  publicKeyThumbprint: column('thumbprint', HEX),
  vaultRoot: column('vault_root', HEX),
} satisfies Readonly<Record<string, Column>>;

/** How a peer is reached next changes without an entry, and decides nothing. */
export const PEERS = sealedTable(
  'federation_peers',
  {
    id: column('id', UUID),
    ...CLAIM,
    status: column('status', oneOf<RegisteredStatus>()),
    ownKeyThumbprint: column('own_key', HEX),
    greetedAt: column('greeted_at', nullable(INSTANT)),
    createdAt: column('created_at', INSTANT),
    updatedAt: column('updated_at', INSTANT),
    generation: column('generation', INTEGER),
    version: column('row_version', INTEGER),
    name: column('name', nullable(TEXT)),
    handshakeDueAt: column('handshake_due_at', nullable(INSTANT)),
    handshakeAttempts: column('handshake_attempts', INTEGER),
  },
  { ...versionedById, except: ['name', 'handshake_due_at', 'handshake_attempts'] },
);

export const PENDING_PEERS = sealedTable('pending_peers', {
  id: column('id', UUID),
  ...CLAIM,
  address: column('address', TEXT),
  createdAt: column('created_at', INSTANT),
  expiresAt: column('expires_at', INSTANT),
});

/** Nonces that were used, by their hash. */
export const PEER_NONCES = table('peer_nonces', {
  id: column('id', BYTES),
  expiresAt: column('expires_at', INSTANT),
});

const KEY_STATEMENTS = {
  hubId: column('hub_id', UUID),
  vaultRoot: column('vault_root', HEX),
  statements: column('statements', LINES),
  fetchedAt: column('fetched_at', INSTANT),
};

export const PEER_KEY_STATEMENTS = sealedTable('peer_key_statements', KEY_STATEMENTS, {
  key: 'hub_id',
});

/** Of roots that the peer had before. */
export const FORMER_PEER_KEYS = sealedTable(
  'former_peer_keys',
  { id: column('id', UUID), ...KEY_STATEMENTS },
  { key: 'id' },
);
