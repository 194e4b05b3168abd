import { apiEnvironments, scopes } from '../../db/schema/accounts.ts';
