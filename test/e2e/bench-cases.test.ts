import { testShortestCases } from '../support/figures/shortest-cases.ts';

testShortestCases('others');
