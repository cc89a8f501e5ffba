import type { OpenApiReader } from './openapi-reader.ts';
import { hrefOf } from './reference.ts';

/** A part of the documentation that can be found: a section of a guide, or an operation. */
export interface FoundPart {
  readonly href: string;
  readonly title: string;
  /** Where it stands, such as the title of the guide. */
  readonly place: string;
  readonly text: string;
}

/** @param guides the sections of the guides, as the build writes guides.json. */
export const searchParts = (
  guides: readonly FoundPart[],
  reader: OpenApiReader,
): readonly FoundPart[] => [
  ...guides,
  ...reader.operations.map((one) => ({
    href: hrefOf(one),
    title: one.summary,
    place: `${one.method} ${one.path}`,
    text: `${one.id} ${one.description}`,
  })),
];
