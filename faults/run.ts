// npm run faults: clients work while a nemesis breaks everything around them; then a judge compares what they saw with
// the database, the chain and the subscribers. Exit code 1 when a rule is broken.
import { join, resolve } from 'node:path';
import { describeMachine } from '../bench/measurement/machine.ts';
import { readArguments, refuseArguments } from '../bench/read-arguments.ts';
import { runStoppable } from '../bench/run-stoppable.ts';
import { CLUSTER_SLOT_MS } from '../sandbox/chain/cluster-facts.ts';
import { PROJECT_ROOT } from '../sandbox/shared/sandbox-folder.ts';
import { clusterTargets, startClusterDeployment } from './deployment/cluster.ts';
import { NODES } from './deployment/shared-settings.ts';
import { singleMachineTargets, startSingleMachine } from './deployment/single-machine.ts';
import { type FaultKind, faultKinds, faultPlan, planLine, usualFaultKinds } from './plan/fault-plan.ts';
import { keepLogs, writeWalkReport } from './report/write-report.ts';
import { walk } from './walk.ts';

const USAGE = `npm run faults -- [options]
  --seed 1          another seed breaks other things at other times
  --minutes 2       minutes of faults
  --bots 4          bots that trade and repeat their orders
  --readers 6       readers of streams that resume
  --receivers 4     receivers of webhooks
  --faults ${faultKinds.slice(0, 4).join(',')},…  the kinds of faults, by default all of the deployment except full-broker:
                    ${faultKinds.join(', ')}
  --against single  or cluster
  --nodes 3         nodes of the chain, 1 to 3; not of the cluster's
  --slot-ms N       length of a slot of the chain, by default mainnet's; not of the cluster's
  --report docs/proof  writes the report into this folder
  --tree .          the tree whose product is tried
  --plan            prints the plan of the seed and starts nothing`;

const { values, positionals } = readArguments(USAGE, {
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '2' },
  bots: { type: 'string', default: '4' },
  readers: { type: 'string', default: '6' },
  receivers: { type: 'string', default: '4' },
  faults: { type: 'string', default: usualFaultKinds.join() },
  against: { type: 'string', default: 'single' },
  nodes: { type: 'string', default: String(NODES.length) },
  'slot-ms': { type: 'string', default: String(CLUSTER_SLOT_MS) },
  report: { type: 'string' },
  tree: { type: 'string', default: PROJECT_ROOT },
  plan: { type: 'boolean', default: false },
});
if (positionals.length > 0) refuseArguments(`unexpected: ${positionals.join(' ')}`, USAGE);
const whole = (name: 'seed' | 'bots' | 'readers' | 'receivers' | 'nodes' | 'slot-ms') => {
  const value = Number(values[name]);
  if (!Number.isSafeInteger(value) || value < 0) refuseArguments(`--${name} must be a whole number`, USAGE);
  return value;
};
const size = { bots: whole('bots'), readers: whole('readers'), receivers: whole('receivers') };
const seed = whole('seed');
const minutes = Number(values.minutes);
if (!(minutes > 0)) refuseArguments('--minutes must be a positive number', USAGE);
if (size.bots === 0) refuseArguments('--bots must be at least 1', USAGE);
const chain = { nodes: NODES.slice(0, whole('nodes')), slotMs: whole('slot-ms') };
if (chain.nodes.length === 0 || chain.slotMs === 0)
  refuseArguments('--nodes and --slot-ms must be at least 1', USAGE);
const isCluster = values.against === 'cluster';
if (!isCluster && values.against !== 'single') refuseArguments('--against is single or cluster', USAGE);
const kinds = values.faults.split(',').filter((name) => name !== 'none');
const unknown = kinds.find((name) => !(faultKinds as readonly string[]).includes(name));
if (unknown !== undefined) refuseArguments(`--faults: ${unknown} is no kind of fault`, USAGE);

const plan = faultPlan(
  seed,
  minutes * 60_000,
  kinds as FaultKind[],
  isCluster ? clusterTargets() : singleMachineTargets(chain.nodes),
);
for (const [at, step] of plan.entries()) console.log(planLine(at + 1, step));
if (values.plan) process.exit(0);

await runStoppable(async (signal) => {
  const machine = await describeMachine();
  const startedAt = performance.now();
  const log = (line: string) =>
    console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(7)} s  ${line}`);
  log(`seed ${seed}, ${minutes} minutes against the ${isCluster ? 'cluster' : 'single machine'}`);
  const deployment = isCluster
    ? await startClusterDeployment(log)
    : await startSingleMachine({
        tree: resolve(values.tree),
        signal,
        hasOwnDisks: kinds.some((kind) => kind === 'full-disk' || kind === 'full-broker'),
        chain,
      });
  try {
    const result = await walk(deployment, { ...size, seed, minutes, plan, signal, log });
    signal.throwIfAborted();
    const broken = result.verdicts.flatMap(({ rule, broken: found }) =>
      found.map((sentence) => `${rule}: ${sentence}`),
    );
    for (const sentence of broken.slice(0, 40)) console.error(`faults: ${sentence}`);
    const facts = { seed, minutes, ...size, against: deployment.kind, command: commandText(), machine };
    if (values.report !== undefined) log(`report: ${await writeWalkReport(values.report, facts, result)}`);
    if (broken.length > 0)
      log(
        `logs and evidence: ${await keepLogs(deployment.logFolder, join(PROJECT_ROOT, '.sandbox/faults'), result)}`,
      );
    log(broken.length === 0 ? 'every rule holds' : `${broken.length} times a rule is broken`);
    return broken.length === 0 ? 0 : 1;
  } finally {
    await deployment.close();
  }
});

/** The command that repeats this walk elsewhere, without folders of this machine. */
function commandText(): string {
  const { report: _report, tree: _tree, plan: _plan, ...kept } = values;
  const words = Object.entries(kept).map(([name, value]) => `--${name} ${value}`);
  return `npm run faults -- ${words.join(' ')}`;
}
