import type { AgentKeyReads } from '../../domain/identity/identity-store.port.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { NotaryError, type FieldError, type ProblemMembers } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { examineJwe, looksLikeJwe, recipientsOf } from '../../domain/record/jwe.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';

/** The agents that must be able to read the content of a record. A record's own row has these members. */
export interface Readers {
  readonly federation?: { readonly role: 'home' | 'mirror' } | null;
  readonly principalAgentId: Uuid;
  readonly performerAgentId: Uuid | null;
}

/** What a refusal says about its record type. */
type TypeName = Pick<RecordType, 'type' | 'publisher' | 'version'>;

/**
 * Content of the encrypted mode: a JWE that both parties can open, by the keys they publish now. The schemas of the
 * type describe the plaintext for the parties and are not applied. A JWE authenticates no sender: the
 * sealed entry says who sent it.
 */
export class EncryptedContent {
  constructor(private readonly keys: AgentKeyReads) {}

  /**
   * @param member the member of the body that holds the content.
   * @param readers null where nobody is named yet, as in a dry run; then only the form is judged.
   * @returns the refusal, to be thrown where its turn comes; null when the content is accepted.
   */
  async refusal(
    recordType: TypeName,
    member: string,
    content: JsonObject,
    readers: Readers | null,
  ): Promise<NotaryError | null> {
    const { faults, recipients } = examineJwe(content);
    if (faults.length > 0) return malformed(recordType, member, faults);
    return (
      readers &&
      this.unreadable(
        member,
        recipients,
        readers,
        `Encrypt ${member} to the key that each party publishes (encryptionKeyJwk of GET /v1/agents/{id}), and name it by its RFC 7638 thumbprint.`,
      )
    );
  }

  /** The same for criteria that are already on the table and cannot change, when a performer is named. */
  offerRefusal(criteria: JsonObject, readers: Readers): Promise<NotaryError | null> {
    return this.unreadable(
      'criteria',
      recipientsOf(criteria),
      readers,
      'Open another record, with criteria that are encrypted to this performer too, or propose to an agent that is among the recipients.',
    );
  }

  private async unreadable(
    member: string,
    recipients: readonly string[],
    { principalAgentId, performerAgentId, federation }: Readers,
    suggestion: string,
  ): Promise<NotaryError | null> {
    // The key of a party on another hub is published there, and that hub checks it.
    const parties = [
      ...(federation?.role === 'mirror' ? [] : [{ side: 'principal', agentId: principalAgentId }]),
      ...(performerAgentId && performerAgentId !== principalAgentId && federation?.role !== 'home'
        ? [{ side: 'performer', agentId: performerAgentId }]
        : []),
    ];
    const published = await this.keys.encryptionKeys(parties.map(({ agentId }) => agentId));
    const without = parties.filter(({ agentId }) => !published.has(agentId));
    if (without.length > 0) return keyless(without);
    const unnamed = parties.filter(
      ({ agentId }) => !recipients.includes(published.get(agentId)!.thumbprint),
    );
    if (unnamed.length === 0) return null;
    const errors = unnamed.map(({ side, agentId }) => ({
      path: `/${member}/recipients`,
      keyword: 'contains',
      message: `names no recipient with the kid ${published.get(agentId)!.thumbprint}, the key of the ${side} ${agentId}`,
    }));
    return new NotaryError(
      'UNPROCESSABLE',
      `The ${member} cannot be read by the ${unnamed.map(({ side, agentId }) => `${side} ${agentId}`).join(' and the ')}: its published key is not among the recipients.`,
      { errors, suggestion },
    );
  }
}

/** Ciphertext in a type that works in the clear could never be judged. Null where the content is no ciphertext. */
export const strayJwe = (
  recordType: TypeName,
  member: string,
  content: JsonObject,
): NotaryError | null =>
  looksLikeJwe(content)
    ? new NotaryError(
        'SCHEMA_VALIDATION_ERROR',
        `The record type ${recordType.type} works in the clear; a JWE as ${member} is not taken.`,
        {
          ...nameOf(recordType),
          errors: [
            {
              path: `/${member}`,
              keyword: 'cleartext',
              message: 'is a JWE, in a type whose operatingMode is cleartext',
            },
          ],
          suggestion: `Send ${member} in the clear, or use a type whose operatingMode is encrypted.`,
        },
      )
    : null;

const malformed = (
  recordType: TypeName,
  member: string,
  faults: readonly FieldError[],
): NotaryError =>
  new NotaryError(
    'SCHEMA_VALIDATION_ERROR',
    `The record type ${recordType.type} is encrypted, and ${member} ${faults[0]!.message}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}.`,
    {
      ...nameOf(recordType),
      errors: faults.map((fault) => ({ ...fault, path: `/${member}${fault.path}` })),
      requiredFields: ['protected', 'iv', 'ciphertext', 'tag', 'recipients'],
      optionalFields: ['unprotected', 'aad'],
      examplePayload: EXAMPLE,
      suggestion: `Send ${member} as a JWE General JSON Serialization object (RFC 7516 section 7.2.1), encrypted to the published keys of the parties; examplePayload shows its form. Nothing of what was sent was kept.`,
    },
  );

const keyless = (
  parties: readonly { readonly side: string; readonly agentId: Uuid }[],
): NotaryError =>
  new NotaryError(
    'UNPROCESSABLE',
    `There is nothing to encrypt to: ${parties.map(({ side, agentId }) => `the ${side} ${agentId}`).join(' and ')} published no encryption key.`,
    {
      errors: parties.map(({ side, agentId }) => ({
        path: `/${side}AgentId`,
        keyword: 'encryptionKey',
        message: `the agent ${agentId} has no encryption key`,
      })),
      suggestion:
        'Let the agent, or an admin of its org, publish one with PUT /v1/agents/{id}/encryption-key (scope agents:write): a public JWK, X25519 or P-256. Then encrypt to it.',
    },
  );

const nameOf = ({ type, publisher, version }: TypeName): ProblemMembers => ({
  recordType: type,
  publisher,
  version,
});

/** Only the form: the texts stand for base64url. */
const EXAMPLE = {
  protected: 'BASE64URL({"enc":"A256GCM"})',
  iv: 'BASE64URL(12 bytes)',
  ciphertext: 'BASE64URL(ciphertext)',
  tag: 'BASE64URL(16 bytes)',
  recipients: [
    {
      header: {
        alg: 'ECDH-ES+A256KW',
        kid: 'RFC 7638 thumbprint of the published key',
        epk: { kty: 'OKP', crv: 'X25519', x: 'BASE64URL(32 bytes)' },
      },
      encrypted_key: 'BASE64URL(40 bytes)',
    },
  ],
};
