import { Type } from 'typebox';
import {
  completeManifest,
  type Manifest,
  type ManifestBody,
} from '../../domain/record-type/manifest.ts';
import type { InputCheck } from '../call/input-check.port.ts';
import { MANIFEST_MEMBERS } from './manifest-schema.ts';

/**
 * Holds a manifest that another hub sealed against what a registration here may send. What it leaves out is filled in, so
 * its digest is for the caller to compare: a manifest that was registered leaves nothing out.
 *
 * @throws NotaryError as a registration would refuse it.
 */
export type ManifestCheck = (sealed: unknown) => Manifest;

export const manifestCheck = (inputs: InputCheck): ManifestCheck => {
  const check = inputs.prepare({
    noun: 'The manifest',
    memberNoun: 'member',
    schema: Type.Object(MANIFEST_MEMBERS, { additionalProperties: false }),
    hasHelp: false,
  });
  return (sealed) => completeManifest(check(sealed) as unknown as ManifestBody, NO_DEFAULTS);
};

/** No registered manifest has such a publisher or version. */
const NO_DEFAULTS = { orgSlug: '', nextVersion: 0 };
