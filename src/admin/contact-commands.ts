import { need } from '../../packages/client/src/cli/kit/command.ts';
import { required, text } from '../../packages/client/src/cli/kit/option.ts';
import { setContact } from '../features/webhooks/contacts/set-contact.ts';
import { urlPolicyOf } from '../shared/webhooks/url-policy.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { type Command, needUuid } from './command.ts';
import { uuid } from './option.ts';

const ACCOUNT = { account: uuid('whose contact', required) };
const EXAMPLE = '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';

const contactSet: Command = {
  name: 'contact set',
  summary: 'Sets the address that gets the failure reports of the endpoints of an account, and pings it',
  options: { ...ACCOUNT, url: text('where it is, as the URL policy allows', required) },
  examples: [`${EXAMPLE} --url https://operator.example/launchwire-contact`],
  run: (dependencies, options) => change(dependencies, needUuid(options, 'account'), need(options, 'url')),
};

const contactRemove: Command = {
  name: 'contact remove',
  summary: 'Removes the contact of an account and ends its waiting deliveries',
  options: ACCOUNT,
  examples: [EXAMPLE],
  run: (dependencies, options) => change(dependencies, needUuid(options, 'account'), null),
};

export const contactCommands = [contactSet, contactRemove];

async function change(
  { database, outbox, clock, config }: AdminDependencies,
  accountId: string,
  url: string | null,
): Promise<Record<string, unknown>> {
  const urlPolicy = urlPolicyOf(config);
  const contact = await database.begin((transaction) =>
    setContact(transaction, { accountId, url }, { outbox, urlPolicy, clock }),
  );
  return { ...contact };
}
