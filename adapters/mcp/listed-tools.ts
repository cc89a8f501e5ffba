import { mayCall } from '../../application/call/access.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { argumentsOf, fixedBy } from './bound-tools.ts';
import { shownSchema } from './forms.ts';
import { TOOLS, type Tool } from './tools.ts';

/** The tools that this credential may call, in one order: hosts put them before a model, and keep what does not change. */
export const listedTools = (caller: Caller | null): readonly JsonObject[] =>
  TOOLS.filter((tool) => mayCall(tool.operation.access(fixedBy(tool)), caller)).map(listed);

/** Made once: it is the same for everyone. */
const made = new Map<Tool, JsonObject>();

const listed = (tool: Tool): JsonObject => {
  const done = made.get(tool) ?? describe(tool);
  made.set(tool, done);
  return done;
};

const describe = (tool: Tool): JsonObject => {
  const { name, operation, when, isFinal = false, isIdempotent = false } = tool;
  const { summary, description } = operation.words;
  const isRead = operation.effect === 'read';
  const more = tool.description ?? description;
  const described = {
    name,
    title: summary,
    description: more === undefined ? when : `${when} ${more}`,
    inputSchema: shownSchema(argumentsOf(tool)),
    outputSchema: shownSchema(operation.output),
    annotations: {
      title: summary,
      readOnlyHint: isRead,
      ...(isRead ? {} : { destructiveHint: isFinal }),
      idempotentHint: isIdempotent,
      openWorldHint: false,
    },
  };
  // As it will be written down: what libraries keep beside a schema is none of it.
  return JSON.parse(JSON.stringify(described)) as JsonObject;
};
