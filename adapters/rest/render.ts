import type { Static, TSchema } from 'typebox';
import {
  renderBy,
  type Forms,
  type Render as RenderInto,
} from '../../application/call/render-view.ts';
import { SHOWN_AS } from '../../application/call/schemas.ts';
import type { NextStep } from '../../application/call/guide.ts';
import type { SchemaPlaceSchema } from '../../application/record-type/schema-place.ts';
import { NotaryError, type ErrorCode, type ProblemMembers } from '../../domain/kernel/errors.ts';
import { problemOf, type ProblemPlace } from '../http/problem.ts';
import { problemOnPath, type PathProblems } from './problem-on-path.ts';
import type { Links } from './links.ts';
import { ProblemSchema } from './problem-schema.ts';
import { SchemaUrls, schemaUrls } from './schema-urls.ts';
import { NextStep as ShownStepSchema } from './wire.ts';

export interface RenderContext {
  readonly links: Links;
  readonly place: ProblemPlace;
  readonly problems?: PathProblems | undefined;
}

/** Turns one part of a view into its REST form. Undefined where that part has no REST form. */
export type Render = RenderInto<RenderContext>;

interface Rendering {
  readonly schema: TSchema;
  readonly render: Render;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly members: ProblemMembers;
  /** The id of the call that was refused. */
  readonly requestId: string;
}

/**
 * The parts that look different in REST, by the mark in the schema that says where they are. So a
 * value that a caller wrote is never changed.
 */
const RENDERED: ReadonlyMap<unknown, Rendering> = new Map<unknown, Rendering>([
  ['step', { schema: ShownStepSchema, render: (step, { links }) => links.show(step as NextStep) }],
  [
    'refusal',
    {
      schema: ProblemSchema,
      render: (refusal, { place, problems }) => {
        const { code, detail, members, requestId } = refusal as Refusal;
        const own = problemOnPath(new NotaryError(code, detail, members), problems);
        return problemOf(new NotaryError(own.code, detail, own.members), { ...place, requestId });
      },
    },
  ],
  [
    'schema-place',
    {
      schema: SchemaUrls,
      render: (place) => schemaUrls(place as Static<typeof SchemaPlaceSchema>),
    },
  ],
]);

const FORMS: Forms<RenderContext> = new Map(
  [...RENDERED].map(([mark, { render }]) => [mark, render]),
);

/** The schema of the REST form; undefined where REST shows the part unchanged. */
export const shownSchema = (schema: object): TSchema | undefined =>
  RENDERED.get((schema as { readonly [SHOWN_AS]?: string })[SHOWN_AS])?.schema;

/** Compiled once for each schema of a view. */
export const renderOf = (schema: TSchema): Render => renderBy(schema, FORMS);
