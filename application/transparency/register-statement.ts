import type { SigningKey } from '../../domain/identity/agent-key.ts';
import { verifyingKeyOf } from '../../domain/identity/agent-public-key.ts';
import type { AgentKeyReads, AgentReads } from '../../domain/identity/identity-store.port.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { fromHex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import {
  identityOf,
  readStatement,
  StatementError,
  type ScittStatement,
} from '../../domain/transparency/scitt-statement.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import {
  statementLog,
  type RegisteredStatement,
  type StatementLogReads,
} from '../../domain/transparency/statement-log.port.ts';
import { issuerOf } from '../../domain/vault/chain.ts';
import { verifySignature, VerifyingKeys } from '../../domain/vault/signatures.ts';
import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import { DuplicateError, type Stores, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { Vault } from '../sealing/vault.ts';
import type { AppendLeaves } from './append-leaves.ts';
import type { MakeReceipt } from './make-receipt.ts';
import type { OrgLogs } from './org-logs.ts';
import { ownLog } from './own-log.ts';
import type { LoggedStatement } from './results.ts';

const TRIES = 3;

/**
 * Registers a statement that an agent of the org signed, and gives its receipt. The same statement again, by its key and
 * what is signed, is the one that stands there.
 */
export class RegisterStatement {
  private readonly keys = new VerifyingKeys();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotent: IdempotentTransaction,
    private readonly reads: {
      readonly agents: Pick<AgentReads, 'find'>;
      readonly agentKeys: Pick<AgentKeyReads, 'signingKeyBy'>;
      readonly statementLogs: StatementLogReads;
    },
    private readonly append: AppendLeaves,
    private readonly logs: OrgLogs,
    private readonly receipts: MakeReceipt,
    private readonly clock: Clock,
    private readonly vault: Pick<Vault, 'hub'>,
  ) {}

  /** @throws VALIDATION_ERROR with the reason of SCRAPI, ORG_REQUIRED. */
  async execute(
    context: CallContext,
    input: { readonly statement: string },
  ): Promise<LoggedStatement & { readonly isNew: boolean }> {
    const registered = await this.registered(context, input);
    if (!context.idempotency) return registered;
    // A call that ends before this is repeated, and finds its statement registered.
    return this.idempotent.run(context, () => Promise.resolve(registered));
  }

  private async registered(
    context: CallContext,
    { statement: text }: { readonly statement: string },
  ): Promise<LoggedStatement & { readonly isNew: boolean }> {
    const orgId = ownLog(context.caller);
    const bytes = decodeBase64Strict(text);
    if (!bytes) throw refusal('malformed_request', 'The statement is not canonical base64.');
    const statement = read(bytes);
    // A receipt shows that what this hub signed stood in the log: nobody else enters anything in its name.
    if (statement.iss === issuerOf(this.vault.hub.hubId))
      throw refusal(
        'rejected',
        'The issuer that the statement names is this service, which registers what it signs itself.',
        'Name an issuer of your own, for which the key is registered.',
      );
    assertTimely(statement, this.clock.now().getTime() / 1000);
    const key = await this.keyOf(orgId, statement);
    const isNew = await this.register(
      {
        orgId,
        hash: leafHash(statement.leafInput),
        identity: identityOf(fromHex(key.thumbprint), statement),
        agentId: key.agentId,
        coseSign1: statement.leafInput,
        registeredAt: this.clock.now().toISOString(),
      },
      context,
    );
    return { ...(await this.stored(orgId, key, statement)), isNew };
  }

  private async register(statement: RegisteredStatement, call: CallContext): Promise<boolean> {
    const { orgId, identity } = statement;
    if (await this.reads.statementLogs.statementBy(orgId, identity)) return false;
    await this.logs.forCaller(orgId);
    for (let tries = 1; ; tries++) {
      try {
        const tree = await this.unitOfWork.transaction(
          (stores) => this.add(stores, statement),
          call,
        );
        if (tree) this.logs.remember(orgId, tree);
        return tree !== null;
      } catch (error) {
        if (!(error instanceof DuplicateError) || tries >= TRIES) throw error;
      }
    }
  }

  /** Null where another call was faster. */
  private async add(stores: Stores, statement: RegisteredStatement) {
    const { orgId, identity, hash } = statement;
    // Waits for whoever adds to the log at the moment.
    const { tree, leaves } = await this.append.lockedWith(stores, orgId, async () =>
      (await stores.statementLogs.statementBy(orgId, identity)) ? [] : [{ hash, entry: null }],
    );
    if (leaves.length === 0) return null;
    await stores.statementLogs.register(statement);
    return tree;
  }

  private async stored(
    orgId: Uuid,
    key: SigningKey,
    statement: ScittStatement,
  ): Promise<LoggedStatement> {
    const identity = identityOf(fromHex(key.thumbprint), statement);
    const row = await this.reads.statementLogs.statementBy(orgId, identity);
    const leaf = row && (await this.reads.statementLogs.leaf(statementLog(orgId), row.hash));
    if (!row || !leaf) throw new Error('a registered statement is not in its log');
    return { leaf, statement: row.coseSign1, receipt: await this.receipts.of(orgId, leaf) };
  }

  /** The key of the statement, which has to be one of an agent of the org that signs under this issuer. */
  private async keyOf(orgId: Uuid, statement: ScittStatement): Promise<SigningKey> {
    const prefix = thumbprintOf(statement.kid);
    const key = prefix && (await this.reads.agentKeys.signingKeyBy(prefix));
    const agent = key && (await this.reads.agents.find(key.agentId));
    if (!key || agent?.orgId !== orgId || agent.deactivatedAt !== null || key.revokedAt !== null)
      throw refusal(
        'rejected',
        'The kid (label 4) names no signing key that an active agent of your org has.',
        'Register the key with POST /v1/agents/{id}/signing-keys, and send its RFC 9679 thumbprint as kid.',
      );
    if (!key.issuers.includes(statement.iss))
      throw refusal(
        'rejected',
        `The key ${key.thumbprint} is not registered for the issuer that the statement names.`,
        'Register a key with that issuer among its issuers, or name one of those that this key has.',
      );
    const verifying = this.keys.of(verifyingKeyOf(key.key));
    if (verifying.key.algorithm !== statement.algorithm)
      throw refusal('bad_signature_algorithm', 'The algorithm (label 1) is not that of the key.');
    const { signature, signed } = statement;
    const result = await verifySignature(verifying, signature, signed, 'any');
    if (result !== 'valid')
      throw refusal('rejected', `The signature does not hold under the key ${key.thumbprint}.`);
    return key;
  }
}

const read = (bytes: Uint8Array): ScittStatement => {
  try {
    return readStatement(bytes);
  } catch (error) {
    if (error instanceof StatementError) throw refusal(error.reason, error.message);
    throw error;
  }
};

/** @throws NotaryError unless the time is in the validity period of the statement (RFC 8392 section 3.1). */
const assertTimely = ({ exp, nbf }: ScittStatement, now: number): void => {
  if (exp !== null && now >= exp)
    throw refusal('rejected', `The statement has expired: exp (claim 4) is ${exp}.`);
  if (nbf !== null && now < nbf)
    throw refusal(
      'rejected',
      `The statement is not valid yet: nbf (claim 5) is ${nbf}.`,
      'Send the statement at the time nbf or later.',
    );
};

/** The kid is the thumbprint, or the keyId: its first 32 hex digits, as text. */
const thumbprintOf = (kid: Uint8Array | null): Uint8Array | null => {
  if (kid?.length !== 32) return null;
  const text = new TextDecoder().decode(kid);
  return /^[0-9a-f]{32}$/.test(text) ? fromHex(text) : kid;
};

const refusal = (reason: string, message: string, suggestion?: string): NotaryError =>
  new NotaryError('VALIDATION_ERROR', message, {
    reason,
    suggestion: suggestion ?? 'Correct the statement, sign it again and send it again.',
    errors: [{ path: '/statement', keyword: reason, message }],
  });
