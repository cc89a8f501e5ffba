import { serveLane } from '../adapters/cli/dump-worker.ts';
import { hashWithRuntime } from '../adapters/system/runtime-sha256.ts';

hashWithRuntime();
serveLane();
