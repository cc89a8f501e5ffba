import { Type } from 'typebox';
import { IDS } from '../call/example-story.ts';
import { operation } from '../call/operation.ts';
import { Sha256, Uuid } from '../call/schemas.ts';
import { AddSigningKey } from './add-signing-key.ts';
import {
  ENCRYPTION_JWK,
  ENCRYPTION_KEY_BODY,
  SIGNING_KEY,
  SIGNING_KEY_BODY,
} from './agent-examples.ts';
import { EncryptionKeyInput, SigningKeyInput } from './agent-key-input.ts';
import {
  AddedSigningKeySchema,
  PublishedEncryptionKeySchema,
  RevokedSigningKeySchema,
  encryptionJwkView,
  signingKeyView,
} from './agent-key-view.ts';
import { addSigningKeyStep, readAgent, revokeSigningKeyStep } from './agent-steps.ts';
import { RevokeSigningKey } from './revoke-signing-key.ts';
import { SetEncryptionKey } from './set-encryption-key.ts';

const ENCRYPT_TO =
  'Content for the agent is encrypted to this key; its thumbprint is the kid of the recipient.';

export const setEncryptionKey = operation({
  id: 'setEncryptionKey',
  words: {
    summary: 'Publish the key that content for an agent is encrypted to',
    description:
      'A public JWK on X25519 or P-256. It takes the place of the key before; the same key again writes nothing. A key that was registered before, for whomever and whatever for, is refused. With proofOfPossession, which P-256 alone can give, the holder of the key confirms it: a signature over service.agent-key.v1, the agentId and the RFC 7638 thumbprint, with a line feed between them.',
    group: 'Agents',
  },
  effect: 'write',
  access: () => ({ scope: 'agents:write' }),
  input: EncryptionKeyInput,
  output: PublishedEncryptionKeySchema,
  examples: { x25519: { agentId: IDS.performer, ...ENCRYPTION_KEY_BODY } },
  result: {
    description: 'The key, published',
    example: {
      agentId: IDS.performer,
      thumbprint: ENCRYPTION_JWK.kid,
      encryptionKeyJwk: ENCRYPTION_JWK,
      setAt: SIGNING_KEY.addedAt,
      suggestion: ENCRYPT_TO,
      nextSteps: [readAgent(IDS.performer)],
    },
  },
  problems: ['FORBIDDEN', 'UNPROCESSABLE', 'CONFLICT'],
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: SetEncryptionKey,
  view: (key, guide) => ({
    view: {
      agentId: key.agentId,
      thumbprint: key.thumbprint,
      encryptionKeyJwk: encryptionJwkView(key),
      setAt: key.setAt,
      suggestion: ENCRYPT_TO,
      nextSteps: guide.steps(readAgent(key.agentId)),
    },
  }),
});

const SIGN_WITH = 'Sign statements with the key; their kid is the thumbprint, as 32 bytes.';

export const addSigningKey = operation({
  id: 'addSigningKey',
  words: {
    summary: 'Register a key that an agent signs statements with',
    description:
      'Ed25519 or P-256, as a public JWK or as a COSE_Key, one of the two. proofOfPossession is a signature by the key over the UTF-8 bytes of service.agent-key.v1, the agentId and the RFC 9679 thumbprint in lowercase hex, with a line feed between them: 64 raw bytes in base64. A key that was registered before is refused.',
    group: 'Agents',
  },
  effect: 'write',
  access: () => ({ scope: 'agents:write' }),
  input: SigningKeyInput,
  output: AddedSigningKeySchema,
  examples: {
    jwk: { agentId: IDS.performer, ...SIGNING_KEY_BODY },
    coseKey: {
      agentId: IDS.performer,
      coseKey: SIGNING_KEY.coseKey,
      proofOfPossession: SIGNING_KEY_BODY.proofOfPossession,
    },
  },
  result: {
    description: 'The key, registered',
    example: {
      agentId: IDS.performer,
      ...SIGNING_KEY,
      suggestion: SIGN_WITH,
      nextSteps: [
        readAgent(IDS.performer),
        revokeSigningKeyStep(IDS.performer, SIGNING_KEY.thumbprint),
      ],
    },
  },
  problems: ['FORBIDDEN', 'UNPROCESSABLE', 'CONFLICT'],
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: AddSigningKey,
  view: (key, guide) => ({
    view: {
      agentId: key.agentId,
      ...signingKeyView(key),
      suggestion: SIGN_WITH,
      nextSteps: guide.steps(
        readAgent(key.agentId),
        revokeSigningKeyStep(key.agentId, key.thumbprint),
      ),
    },
  }),
});

const ANOTHER =
  'What the key signs from now on is refused; it still verifies what was signed before.';

export const revokeSigningKey = operation({
  id: 'revokeSigningKey',
  words: {
    summary: 'Revoke a signing key',
    description:
      'The key stays with the agent, with the time of its end, and is never registered again. Revoking it twice writes nothing.',
    group: 'Agents',
  },
  effect: 'write',
  access: () => ({ scope: 'agents:write' }),
  input: Type.Object({ agentId: Uuid, thumbprint: Sha256 }, { additionalProperties: false }),
  output: RevokedSigningKeySchema,
  result: {
    description: 'Revoked',
    example: {
      id: SIGNING_KEY.thumbprint,
      thumbprint: SIGNING_KEY.thumbprint,
      deleted: true,
      agentId: IDS.performer,
      revokedAt: SIGNING_KEY.addedAt,
      suggestion: ANOTHER,
      nextSteps: [addSigningKeyStep(IDS.performer), readAgent(IDS.performer)],
    },
  },
  problems: ['FORBIDDEN'],
  target: ({ agentId }) => (agentId ? { kind: 'agent', id: agentId } : null),
  useCase: RevokeSigningKey,
  view: (key, guide) => ({
    view: {
      id: key.thumbprint,
      thumbprint: key.thumbprint,
      deleted: true as const,
      agentId: key.agentId,
      revokedAt: key.revokedAt,
      suggestion: ANOTHER,
      nextSteps: guide.steps(addSigningKeyStep(key.agentId), readAgent(key.agentId)),
    },
  }),
});
