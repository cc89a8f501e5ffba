import { Type } from 'typebox';
import { curvesFor, type KeyPurpose } from '../../../domain/identity/agent-key-input.ts';
import { route, type Route } from '../../http/route.ts';
import {
  AGENT,
  ENCRYPTION_JWK,
  ENCRYPTION_KEY_BODY,
  SIGNING_KEY,
  SIGNING_KEY_BODY,
} from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, Sha256, Timestamp, Uuid } from '../wire.ts';
import {
  EncryptionJwkSchema,
  SigningKeySchema,
  presentEncryptionJwk,
  presentSigningKey,
} from './agent-key-presenter.ts';

/** The public keys that an agent publishes. They are shown with the agent, to anyone who may read agents. */
export const agentKeyRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'PUT',
    path: '/v1/agents/{agentId}/encryption-key',
    operationId: 'setEncryptionKey',
    summary: 'Publish the key that content for an agent is encrypted to',
    description:
      'A public JWK on X25519 or P-256. It takes the place of the key before; the same key again writes nothing. A key that was registered before, for whomever and whatever for, is refused. With proofOfPossession, which P-256 alone can give, the holder of the key confirms it: a signature over service.agent-key.v1, the agentId and the RFC 7638 thumbprint, with a line feed between them.',
    tag: 'Agents',
    access: { scope: 'agents:write' },
    params: AgentPath,
    body: EncryptionKeyBody,
    examples: { x25519: ENCRYPTION_KEY_BODY },
    answers: {
      200: {
        description: 'The key, published',
        schema: EncryptionKeySchema,
        example: ENCRYPTION_KEY,
      },
    },
    problems: ['FORBIDDEN', 'UNPROCESSABLE', 'CONFLICT'],
    execute: (context, { params, body }) =>
      useCases.setEncryptionKey.execute(context, { agentId: params.agentId, ...body }),
    present: (key, view) => ({
      status: 200,
      body: {
        agentId: key.agentId,
        thumbprint: key.thumbprint,
        encryptionKeyJwk: presentEncryptionJwk(key),
        setAt: key.setAt,
        suggestion: ENCRYPT_TO,
        nextSteps: stepsTo(view, ['view', 'getAgent', 'Read the agent', { agentId: key.agentId }]),
      },
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/agents/{agentId}/signing-keys',
    operationId: 'addSigningKey',
    summary: 'Register a key that an agent signs statements with',
    description:
      'Ed25519 or P-256, as a public JWK or as a COSE_Key, one of the two. proofOfPossession is a signature by the key over the UTF-8 bytes of service.agent-key.v1, the agentId and the RFC 9679 thumbprint in lowercase hex, with a line feed between them: 64 raw bytes, for P-256 with the low s, in base64. A key that was registered before is refused.',
    tag: 'Agents',
    access: { scope: 'agents:write' },
    params: AgentPath,
    body: SigningKeyBody,
    examples: {
      jwk: SIGNING_KEY_BODY,
      coseKey: {
        coseKey: SIGNING_KEY.coseKey,
        proofOfPossession: SIGNING_KEY_BODY.proofOfPossession,
      },
    },
    answers: {
      201: { description: 'The key, registered', schema: AddedKeySchema, example: ADDED_KEY },
    },
    problems: ['FORBIDDEN', 'UNPROCESSABLE', 'CONFLICT'],
    execute: (context, { params, body }) =>
      useCases.addSigningKey.execute(context, { agentId: params.agentId, ...body }),
    present: (key, view) => ({
      status: 201,
      body: {
        agentId: key.agentId,
        ...presentSigningKey(key),
        suggestion: SIGN_WITH,
        nextSteps: stepsTo(
          view,
          ['view', 'getAgent', 'Read the agent', { agentId: key.agentId }],
          [
            'revoke',
            'revokeSigningKey',
            'Revoke the key',
            { agentId: key.agentId, thumbprint: key.thumbprint },
          ],
        ),
      },
    }),
  }),
  route({
    method: 'DELETE',
    path: '/v1/agents/{agentId}/signing-keys/{thumbprint}',
    operationId: 'revokeSigningKey',
    summary: 'Revoke a signing key',
    description:
      'The key stays with the agent, with the time of its end, and is never registered again. Revoking it twice writes nothing.',
    tag: 'Agents',
    access: { scope: 'agents:write' },
    params: Type.Object({ agentId: Uuid, thumbprint: Sha256 }),
    answers: { 200: { description: 'Revoked', schema: RevokedKeySchema, example: REVOKED_KEY } },
    problems: ['FORBIDDEN'],
    execute: (context, { params }) => useCases.revokeSigningKey.execute(context, params),
    present: (key, view) => ({
      status: 200,
      body: {
        thumbprint: key.thumbprint,
        deleted: true,
        agentId: key.agentId,
        revokedAt: key.revokedAt,
        suggestion: ANOTHER,
        nextSteps: stepsTo(
          view,
          ['register', 'addSigningKey', 'Register another signing key', { agentId: key.agentId }],
          ['view', 'getAgent', 'Read the agent', { agentId: key.agentId }],
        ),
      },
    }),
  }),
];

const ENCRYPT_TO =
  'Content for the agent is encrypted to this key; its thumbprint is the kid of the recipient.';
const SIGN_WITH = 'Sign statements with the key; their kid is the thumbprint, as 32 bytes.';
const ANOTHER =
  'What the key signs from now on is refused; it still verifies what was signed before.';

const AgentPath = Type.Object({ agentId: Uuid });

/** Looked over in the core, which says what is wrong with it in terms of the key. */
const jwkFor = (purpose: KeyPurpose) =>
  Type.Unsafe<{ readonly [member: string]: unknown }>({
    type: 'object',
    description: `A public JWK (RFC 7517) on ${curvesFor(purpose).join(' or ')}. Never the private members: a key with d is refused.`,
  });

const Proof = Type.String({ maxLength: 512, description: 'Base64 of the raw signature' });

const EncryptionKeyBody = Type.Object(
  { publicKeyJwk: jwkFor('encryption'), proofOfPossession: Type.Optional(Proof) },
  { additionalProperties: false },
);

const SigningKeyBody = Type.Object(
  {
    publicKeyJwk: Type.Optional(jwkFor('signing')),
    coseKey: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Instead of publicKeyJwk: base64 of a COSE_Key in deterministic CBOR',
      }),
    ),
    proofOfPossession: Proof,
    issuers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
        maxItems: 32,
        description: 'The iss that statements signed with the key may name',
      }),
    ),
  },
  { additionalProperties: false },
);

const EncryptionKeySchema = Type.Object({
  agentId: Uuid,
  thumbprint: Type.String({ description: 'RFC 7638, base64url' }),
  encryptionKeyJwk: EncryptionJwkSchema,
  setAt: Timestamp,
  ...GUIDANCE,
});
const AddedKeySchema = Type.Object({ agentId: Uuid, ...SigningKeySchema.properties, ...GUIDANCE });
const RevokedKeySchema = Type.Object({
  thumbprint: Sha256,
  deleted: Type.Literal(true),
  agentId: Uuid,
  revokedAt: Timestamp,
  ...GUIDANCE,
});

const VIEW = {
  action: 'view',
  method: 'GET',
  href: `/v1/agents/${AGENT.id}`,
  description: 'Read the agent',
};
const SIGNING_KEYS = `/v1/agents/${AGENT.id}/signing-keys`;
const ENCRYPTION_KEY = {
  agentId: AGENT.id,
  thumbprint: ENCRYPTION_JWK.kid,
  encryptionKeyJwk: ENCRYPTION_JWK,
  setAt: SIGNING_KEY.addedAt,
  suggestion: ENCRYPT_TO,
  nextSteps: [VIEW],
};
const ADDED_KEY = {
  agentId: AGENT.id,
  ...SIGNING_KEY,
  suggestion: SIGN_WITH,
  nextSteps: [
    VIEW,
    {
      action: 'revoke',
      method: 'DELETE',
      href: `${SIGNING_KEYS}/${SIGNING_KEY.thumbprint}`,
      description: 'Revoke the key',
    },
  ],
};
const REVOKED_KEY = {
  thumbprint: SIGNING_KEY.thumbprint,
  deleted: true,
  agentId: AGENT.id,
  revokedAt: SIGNING_KEY.addedAt,
  suggestion: ANOTHER,
  nextSteps: [
    {
      action: 'register',
      method: 'POST',
      href: SIGNING_KEYS,
      description: 'Register another signing key',
    },
    VIEW,
  ],
};
