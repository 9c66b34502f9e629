import { projectName } from '@errata/backend/contract/project-name.ts';
import type { ProjectSetup, Setup } from '@errata/backend/contract/setup-api.ts';
import { useSearchParams } from 'react-router';
import { useDelivery } from '../../api/delivery.ts';
import { useSetup } from '../../api/setup.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RejectedDsns } from '../delivery/rejected-dsns.tsx';
import { setupPath } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { usePageTitle } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import styles from './setup-page.module.css';
import { useArrivals } from './use-arrivals.ts';
import { WayCode } from './way-code.tsx';
import { type Way, WAYS } from './ways.ts';

interface ChoiceProps {
  readonly label: string;
  readonly choices: readonly { readonly name: string; readonly path: string; readonly isChosen: boolean }[];
}

/** Links to the ways or projects; the address holds the choice. */
function Choice({ label, choices }: ChoiceProps) {
  return (
    <ul className={styles.choices} aria-label={label}>
      {choices.map(({ name, path, isChosen }) => (
        <li key={path}>
          <Link className={styles.choice} to={path} replace aria-current={isChosen ? 'true' : undefined}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface ChosenProps {
  readonly setup: Setup;
  readonly way: Way;
  readonly project: ProjectSetup;
}

function Choices({ setup: { projects }, way, project }: ChosenProps) {
  /** The first project is the default, which the address leaves out. */
  const named = (one: ProjectSetup): string | null => (one === projects[0] ? null : one.project);
  return (
    <>
      {projects.length > 1 && (
        <Choice
          label="Project"
          choices={projects.map((one) => ({
            name: projectName(one.project),
            path: setupPath(way.id, named(one)),
            isChosen: one === project,
          }))}
        />
      )}
      <Choice
        label="Way"
        choices={WAYS.map((one) => ({
          name: one.name,
          path: setupPath(one.id, named(project)),
          isChosen: one === way,
        }))}
      />
    </>
  );
}

function SetupView({ setup }: { readonly setup: Setup }) {
  const [parameters] = useSearchParams();
  const arrivals = useArrivals();
  const way = WAYS.find(({ id }) => id === parameters.get('way')) ?? WAYS[0];
  const project =
    setup.projects.find((one) => one.project === parameters.get('project')) ?? setup.projects[0];
  if (way === undefined || project === undefined) return null;
  return (
    <>
      <Choices setup={setup} way={way} project={project} />
      <Section title={way.name}>
        <WayCode
          key={`${way.id} ${project.project}`}
          way={way}
          setup={setup}
          project={project}
          arrivals={arrivals}
        />
      </Section>
    </>
  );
}

/** Lists the applications that already send here with a DSN or an origin that is not allowed. */
function RejectedSenders() {
  const { data } = useDelivery();
  return <RejectedDsns rows={data?.rejectedDsns ?? []} alternative="use the code above" />;
}

function SetupParts() {
  const { data, error, refetch } = useSetup();
  return (
    <div className={styles.page}>
      <div>
        <h1 className={styles.title}>Set up an application</h1>
        <p className={styles.lead}>Copy the code, run it, and see its test error arrive.</p>
      </div>
      {data !== undefined && <SetupView setup={data} />}
      {error !== null && data === undefined && (
        <ProblemNotice what="The DSN" error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton label="Loading the DSN" lines={5} />}
      <RejectedSenders />
    </div>
  );
}

/** `/console/setup`: the code that connects an application, by each way, with the values of this server. */
export function SetupPage() {
  usePageTitle('Set-up');
  return (
    <SessionGate asked={null}>
      <SetupParts />
    </SessionGate>
  );
}
