import { describeDigestVersions } from './digest-versions.fixture.ts';
import { describeAnswer } from './answer.fixture.ts';
import { describeAccess } from './access.fixture.ts';
import { describeErasedEnvelopes } from './erased-envelopes.fixture.ts';
import { describeErasure } from './erasure.fixture.ts';
import { describeFlood } from './flood.fixture.ts';
import { describeIngest } from './ingest.fixture.ts';
import { describeLists } from './lists.fixture.ts';
import { describeLive } from './live.fixture.ts';
import { describeLookUp } from './look-up.fixture.ts';
import { describeRelations } from './relations.fixture.ts';
import { describeReports } from './reports.fixture.ts';
import { describeSourceMaps } from './source-maps.fixture.ts';
import { describeWebhook } from './webhook.fixture.ts';
import { describeIssueLists } from './issue-lists.fixture.ts';
import { describePeople } from './people.fixture.ts';
import { describeSearch } from './search.fixture.ts';
import { type NewData, StoresUnderTest } from './store-under-test.fixture.ts';
import { describeTriage } from './triage.fixture.ts';
import { describeUpkeep } from './upkeep.fixture.ts';

/** What every adapter of the store must do: run over each database. */
export function describeEventStore(newData: NewData): void {
  const stores = new StoresUnderTest(newData);
  afterEach(() => stores.close());

  describeIngest(stores);
  describeFlood(stores);
  describeReports(stores);
  describeRelations(stores);
  describeDigestVersions(stores);
  describeLookUp(stores);
  describeAnswer(stores);
  describeLive(stores);
  describeLists(stores);
  describeSourceMaps(stores);
  describeSearch(stores);
  describeIssueLists(stores);
  describeTriage(stores);
  describePeople(stores);
  describeUpkeep(stores);
  describeWebhook(stores);
  describeAccess(stores);
  describeErasure(stores);
  describeErasedEnvelopes(stores);
}
