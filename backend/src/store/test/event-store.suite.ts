import { describeAnswer } from './answer.suite.ts';
import { describeAccess } from './access.suite.ts';
import { describeClientFiles } from './client-files.suite.ts';
import { describeConfirmedAlerts } from './confirmed-alerts.suite.ts';
import { describeConfirmedIssuesProperty } from './confirmed-issues.property.suite.ts';
import { describeConfirmedIssues } from './confirmed-issues.suite.ts';
import { describeForgedIds } from './forged-ids.suite.ts';
import { describeEventFields } from './event-fields.suite.ts';
import { describeEventIds } from './event-ids.suite.ts';
import { describeFindIds } from './find-ids.suite.ts';
import { describeFindMatches } from './find-matches.suite.ts';
import { describeFindRanks } from './find-ranks.suite.ts';
import { describeErasedEnvelopes } from './erased-envelopes.suite.ts';
import { describeErasureProjects } from './erasure-projects.suite.ts';
import { describeErasure } from './erasure.suite.ts';
import { describeGrouping } from './grouping.suite.ts';
import { describeForms } from './forms.suite.ts';
import { describeFlood } from './flood.suite.ts';
import { describeIngest } from './ingest.suite.ts';
import { describeJoinedEvents } from './joined-events.suite.ts';
import { describeLinkedEvents } from './linked-events.suite.ts';
import { describeLists } from './lists.suite.ts';
import { describeLive } from './live.suite.ts';
import { describeFindByName } from './find-by-name.suite.ts';
import { describeSameDigests } from './same-digest.suite.ts';
import { describeRelations } from './relations.suite.ts';
import { describeProvenance } from './provenance.suite.ts';
import { describePageLine } from './page-line.suite.ts';
import { describeReports } from './reports.suite.ts';
import { describeSourceMaps } from './source-maps.suite.ts';
import { describeFrequent } from './frequent.suite.ts';
import { describeAlertTargets } from './alert-targets.suite.ts';
import { describeAlerts } from './alerts.suite.ts';
import { describeIssueChanges } from './issue-changes.suite.ts';
import { describeIssueLists } from './issue-lists.suite.ts';
import { describePeople } from './people.suite.ts';
import { describeFind } from './find.suite.ts';
import { describeEventSearch } from './event-search.suite.ts';
import { describeSearch } from './search.suite.ts';
import { type NewData, StoresUnderTest } from './store-under-test.fixture.ts';
import { describeTrend } from './trend.suite.ts';
import { describeTriage } from './triage.suite.ts';
import { describeUpkeep } from './upkeep.suite.ts';

/** What every adapter of the store must do: run over each database. */
export function describeEventStore(newData: NewData): void {
  describeStoring(newData);
  describeAnswering(newData);
}

/** Tests of storing data and of reporting it. */
export function describeStoring(newData: NewData): void {
  const stores = new StoresUnderTest(newData);
  afterEach(() => stores.close());

  describeIngest(stores);
  describeFlood(stores);
  describeProvenance(stores);
  describeConfirmedIssues(stores);
  describeForgedIds(stores);
  describeConfirmedAlerts(stores);
  describeConfirmedIssuesProperty(stores);
  describeReports(stores);
  describeRelations(stores);
  describeGrouping(stores);
  describeForms(stores);
  describeSourceMaps(stores);
  describeClientFiles(stores);
  describePeople(stores);
  describeEventIds(stores);
  describeEventFields(stores);
  describeAlerts(stores);
  describeAlertTargets(stores);
  describeFrequent(stores);
}

/** Tests of searching, changing and deleting stored data. */
export function describeAnswering(newData: NewData): void {
  const stores = new StoresUnderTest(newData);
  afterEach(() => stores.close());

  describeFindByName(stores);
  describeSameDigests(stores);
  describeAnswer(stores);
  describeLinkedEvents(stores);
  describeJoinedEvents(stores);
  describeLive(stores);
  describeLists(stores);
  describeFind(stores);
  describeFindIds(stores);
  describeFindMatches(stores);
  describeFindRanks(stores);
  describeSearch(stores);
  describeEventSearch(stores);
  describeIssueChanges(stores);
  describeIssueLists(stores);
  describeTrend(stores);
  describeTriage(stores);
  describePageLine(stores);
  describeUpkeep(stores);
  describeAccess(stores);
  describeErasure(stores);
  describeErasureProjects(stores);
  describeErasedEnvelopes(stores);
}
