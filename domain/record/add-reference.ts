import { NotaryError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { MAX_REFERENCES, type ReferenceTarget } from '../kernel/reference-target.ts';
import type { ActorClaim } from '../vault/statement.ts';
import { ADD_REFERENCE } from './lifecycle.ts';
import { changeOf, type RecordChange } from './record-change.ts';
import type { RecordState } from './record-state.ts';
import type { Reference } from './reference.ts';
import { wrongSide } from './refusal.ts';
import { mayAct, type Acting } from './sides.ts';

/** Adds an external reference. The caller has checked that the record does not have it yet. */
export const addReference = (
  record: RecordState,
  acting: Acting,
  given: ReferenceTarget & { readonly id: Uuid; readonly by: ActorClaim },
  at: string,
): RecordChange => {
  if (!mayAct(ADD_REFERENCE, acting, record))
    throw wrongSide('add-reference', [ADD_REFERENCE], record);
  if (record.references.length >= MAX_REFERENCES) {
    throw new NotaryError(
      'UNPROCESSABLE',
      `A record has at most ${MAX_REFERENCES} references; this one is full.`,
      {
        errors: [
          {
            path: '',
            keyword: 'maxItems',
            message: `the record has ${MAX_REFERENCES} references`,
          },
        ],
        suggestion: 'Put the further references behind one of those that are there.',
      },
    );
  }
  const { id, kind, uri, digest, label } = given;
  const reference: Reference = {
    id,
    recordId: record.id,
    kind,
    uri,
    digest,
    label,
    addedBy: given.by,
    addedAt: at,
  };
  return changeOf(
    record,
    ADD_REFERENCE,
    at,
    { references: [...record.references, reference] },
    {
      reference,
      sealed: { reference: { id, kind, uri, digest, label } },
      eventData: { reference: { kind, uri, digest } },
    },
  );
};
