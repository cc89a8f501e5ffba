import { parentPort, workerData } from 'node:worker_threads';
import { serveLane } from '../adapters/cli/dump-worker.ts';
import { hashWithRuntime } from '../adapters/system/runtime-sha256.ts';
import type { LaneSetting } from '../domain/verification/dump/lane.port.ts';

hashWithRuntime();
if (parentPort) serveLane(parentPort, workerData as LaneSetting);
