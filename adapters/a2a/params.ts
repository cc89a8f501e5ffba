import { Type, type Static, type TObject } from 'typebox';
import type { InputCheck } from '../../application/call/input-check.port.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';

/**
 * The params of the methods, as A2A 1.0 has them. Members that are not here are ignored, for A2A adds some; those of a
 * data part are the service's own, so there each one is known.
 */
const Metadata = Type.Optional(Type.Unsafe<JsonObject>({ type: 'object' }));
const Id = Type.String({ maxLength: 256 });
/** The service keeps no messages, so it shows none. */
const HistoryLength = Type.Optional(Type.Integer({ minimum: 0 }));

const Part = Type.Object({
  text: Type.Optional(Type.String()),
  data: Type.Optional(Type.Unknown()),
  raw: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
});

const Message = Type.Object({
  messageId: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Under which the message acts once',
  }),
  role: Type.Enum(['ROLE_USER', 'ROLE_AGENT']),
  parts: Type.Array(Part, { minItems: 1, maxItems: 16 }),
  taskId: Type.Optional(Id),
  contextId: Type.Optional(Id),
  metadata: Metadata,
});

export const SendMessageParams = Type.Object({
  message: Message,
  configuration: Type.Optional(
    Type.Object({
      acceptedOutputModes: Type.Optional(Type.Array(Type.String({ maxLength: 256 }))),
      taskPushNotificationConfig: Type.Optional(Type.Unknown()),
      returnImmediately: Type.Optional(
        Type.Boolean({ description: 'Whether the answer comes before the task has ended' }),
      ),
      historyLength: HistoryLength,
    }),
  ),
  metadata: Metadata,
});
export type SendMessage = Static<typeof SendMessageParams>;
export type MessageIn = SendMessage['message'];

export const TaskParams = Type.Object({
  id: Id,
  historyLength: HistoryLength,
  metadata: Metadata,
});

export const ListTasksParams = Type.Object({
  contextId: Type.Optional(Id),
  status: Type.Optional(Type.String({ maxLength: 64 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  pageToken: Type.Optional(Type.String({ maxLength: 1024 })),
  statusTimestampAfter: Type.Optional(
    Type.String({ format: 'date-time', description: 'ISO 8601' }),
  ),
  includeArtifacts: Type.Optional(Type.Boolean()),
  historyLength: HistoryLength,
});

export const NoParams = Type.Object({});

/** What a data part asks for. */
export const DataPart = Type.Object(
  {
    skill: Type.String({ maxLength: 64, description: 'Of the agent card' }),
    operation: Type.Optional(
      Type.String({ maxLength: 64, description: 'Of the skill; by default its first' }),
    ),
    input: Type.Optional(Type.Unsafe<JsonObject>({ type: 'object' })),
    expectedVersions: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        minItems: 1,
        maxItems: 16,
        description: 'The call is refused where the record has another version',
      }),
    ),
  },
  { additionalProperties: false },
);

/** @throws NotaryError VALIDATION_ERROR. */
export type Checked<S extends TObject> = (value: unknown) => Static<S>;

export const checkOf = <S extends TObject>(
  inputs: InputCheck,
  schema: S,
  noun: string,
): Checked<S> => {
  const check = inputs.prepare({ noun, memberNoun: 'member', schema, whole: 'it', hasHelp: false });
  // The check proves this shape; its type cannot say so, since one port checks every schema.
  return (value) => check(value)['it'] as Static<S>;
};
