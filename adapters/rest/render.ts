import type { TSchema } from 'typebox';
import { NextStepSchema, RefusalSchema } from '../../application/call/schemas.ts';
import type { NextStep } from '../../application/call/guide.ts';
import { NotaryError, type ErrorCode, type ProblemMembers } from '../../domain/kernel/errors.ts';
import { problemOf, type ProblemPlace } from '../http/problem.ts';
import type { Links } from './links.ts';

export interface RenderContext {
  readonly links: Links;
  readonly place: ProblemPlace;
}

/** Makes what REST shows of what every front-end shows. Undefined: it has no form here. */
export type Render = (value: unknown, context: RenderContext) => unknown;

interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly members: ProblemMembers;
}

/** What looks otherwise by REST, by the schema that says where it stands: so nothing that a caller wrote is ever touched. */
const RENDERED: ReadonlyMap<unknown, Render> = new Map<unknown, Render>([
  [NextStepSchema, (step, { links }) => links.show(step as NextStep)],
  [
    RefusalSchema,
    (refusal, { place }) => {
      const { code, detail, members } = refusal as Refusal;
      return problemOf(new NotaryError(code, detail, members), place);
    },
  ],
]);

/** Made once of the schema of a view: what holds nothing of the kind is given on as it is. */
export const renderOf = (schema: TSchema): Render => find(schema) ?? ((value) => value);

interface SchemaMembers {
  readonly properties?: { readonly [name: string]: TSchema };
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

const find = (schema: TSchema): Render | null => {
  const rendered = RENDERED.get(schema);
  if (rendered) return rendered;
  const { properties, items, anyOf } = schema as SchemaMembers;
  if (properties) return ofMembers(properties);
  if (items) return ofItems(find(items));
  return anyOf?.map(find).find((one) => one !== null) ?? null;
};

const ofMembers = (properties: { readonly [name: string]: TSchema }): Render | null => {
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const render = find(schema);
    return render ? [[name, render] as const] : [];
  });
  if (members.length === 0) return null;
  return (value, context) => {
    if (typeof value !== 'object' || value === null) return value;
    const copy: { [member: string]: unknown } = { ...value };
    for (const [name, render] of members)
      if (copy[name] !== undefined) copy[name] = render(copy[name], context);
    return copy;
  };
};

const ofItems = (render: Render | null): Render | null =>
  render &&
  ((value, context) =>
    Array.isArray(value)
      ? value.map((item) => render(item, context)).filter((item) => item !== undefined)
      : value);
