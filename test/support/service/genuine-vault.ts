import { expect } from 'vitest';
import { TakeDump } from '../../../application/vault/take-dump.ts';
import type { RunningService } from '../../../config/service.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { dumpCollector, sourceOf } from '../attackers/dump-files.ts';
import { scanHere } from './scan-here.ts';

/** Expects that a scan of the service finds nothing, and that its dump is VALID under the service's own key. */
export const expectGenuineVault = async (service: RunningService): Promise<void> => {
  const { brokenRecords } = await scanHere(service);
  expect(brokenRecords).toEqual([]);
  const { write, texts } = dumpCollector();
  await service.container.get(TakeDump).execute({ withRound: true, write });
  const report = await verifyDump(sourceOf(texts()), {
    trust: trustOf({ kind: 'fingerprint', sha256Hex: service.vault.fingerprint }),
  });
  expect(report).toMatchObject({ verdict: 'valid', failures: [], reasons: [] });
};

const ENDS_GENUINE =
  /\/test\/protocol\/|\/test\/security\/(federation|webhooks)\/|\/(a2a|mcp|grpc|siem|webhook|events?|federation|administrative)[^/]*\.test\.ts$/;
const EDITING = new Set<string>();

/** For a suite that edits its database as somebody with its password would, so that its vault does not verify. @param file its path. */
export const editsItsVault = (file: string): void => void EDITING.add(file);

/** Whether the quick suite of a file concerns protocols, delivery or federation: what it does must leave a vault that verifies. */
export const endsGenuine = (file: string | undefined): boolean =>
  file !== undefined &&
  ENDS_GENUINE.test(file) &&
  !file.endsWith('.long.test.ts') &&
  !EDITING.has(file);
