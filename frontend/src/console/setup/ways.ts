/*
 * The ways in which an application sends its errors here, with the code to copy. The set-up page shows this code, and
 * e2e/setup.e2e.ts runs it: one source, so that no person copies what no test has run.
 */

/** The values of one project on one server; see the contract's setup-api.ts. */
interface WayValues {
  readonly browserDsn: string;
  readonly serverDsn: string;
  /** Path of the tunnel. */
  readonly tunnel: string;
}

/** One way, as code that connects an application and sends a test error. */
export interface Way {
  readonly id: string;
  /** Name for people; the test error contains it. */
  readonly name: string;
  /** Whether its code contains the server key. */
  readonly needsServerKey: boolean;
  /** Command that installs the SDK; null where nothing must be installed. */
  readonly install: string | null;
  /** What may stop the installation, or what the code lacks for a good answer. */
  readonly remark?: string;
  /** File for the code and the command that starts it; absent where the code is a command or a part of an application. */
  readonly run?: { readonly file: string; readonly command: string };
  /** What a person does after copying; absent where it is enough to run the code. */
  readonly use?: string;
  /** Code to copy, with the values of a project. */
  readonly code: (values: WayValues) => string;
}

/** Returns the message of a way's test error, by which the page recognises it. */
export function testMessage({ name }: Pick<Way, 'name'>): string {
  return `Test error: ${name}`;
}

/** Returns whether an event with this title is the test error of a way. A title is `<type>: <message>`, or the message. */
export function isTestError(way: Way, title: string): boolean {
  return title === testMessage(way) || title.endsWith(`: ${testMessage(way)}`);
}

/** Returns the parts of the URL to which a program without an SDK posts. */
function storeEndpoint(serverDsn: string): { readonly url: string; readonly key: string } {
  const { origin, pathname, username } = new URL(serverDsn);
  const projectAt = pathname.lastIndexOf('/');
  const basePath = pathname.slice(0, projectAt);
  return { url: `${origin}${basePath}/api${pathname.slice(projectAt)}/store/`, key: username };
}

/**
 * Returns the line of a `vite.config.ts` with which Vite's server in development forwards the tunnel. Without it, the reports
 * of a new application go to that server, which answers 404.
 */
export function viteProxy({ origin, tunnel }: { readonly origin: string; readonly tunnel: string }): string {
  return `server: { proxy: { '${tunnel}': '${origin}' } },`;
}

const BROWSER: Way = {
  id: 'browser',
  name: 'Browser',
  needsServerKey: false,
  install: 'npm install @sentry/browser',
  code: ({ browserDsn, tunnel }) => `import * as Sentry from '@sentry/browser';

Sentry.init({ dsn: '${browserDsn}', tunnel: '${tunnel}' });
Sentry.captureException(new Error('${testMessage({ name: 'Browser' })}'));`,
};

const REACT: Way = {
  id: 'react',
  name: 'React',
  needsServerKey: false,
  install: 'npm install <folder of errata>/build/errata-react-0.1.0.tgz',
  remark:
    'The page then shows the error page. Put your own App in the place of this one afterwards. (make pack writes the package.)',
  code: ({ browserDsn, tunnel }) => `import { ErrorBoundary, startReporting } from 'errata-react';
import { createRoot } from 'react-dom/client';

function App(): never {
  throw new Error('${testMessage({ name: 'React' })}');
}

startReporting({ dsn: '${browserDsn}', tunnel: '${tunnel}' });
createRoot(document.getElementById('root')!).render(
  <ErrorBoundary>
    <App />
  </ErrorBoundary>,
);`,
};

const SERVER_WAYS: readonly Omit<Way, 'needsServerKey'>[] = [
  {
    id: 'node',
    name: 'Node.js',
    install: 'npm install @sentry/node',
    run: { file: 'app.mjs', command: 'node app.mjs' },
    code: ({ serverDsn }) => `import * as Sentry from '@sentry/node';

Sentry.init({ dsn: '${serverDsn}' });
Sentry.captureException(new Error('Test error: Node.js'));`,
  },
  {
    id: 'python',
    name: 'Python',
    install: 'pip install sentry-sdk',
    // Debian, Ubuntu and others: https://peps.python.org/pep-0668/
    remark:
      'If pip says externally-managed-environment, first run: python3 -m venv .venv && . .venv/bin/activate',
    run: { file: 'app.py', command: 'python3 app.py' },
    code: ({ serverDsn }) => `import sentry_sdk

sentry_sdk.init(dsn="${serverDsn}")
sentry_sdk.capture_exception(Exception("Test error: Python"))`,
  },
  {
    id: 'java',
    name: 'Java',
    install: 'mvn dependency:copy -Dartifact=io.sentry:sentry:8.63.0 -DoutputDirectory=.',
    remark: 'With Gradle: implementation("io.sentry:sentry:8.63.0")',
    run: { file: 'App.java', command: 'java -cp sentry-8.63.0.jar App.java' },
    code: ({ serverDsn }) => `import io.sentry.Sentry;

public class App {
  public static void main(String[] args) {
    Sentry.init(options -> {
      options.setDsn("${serverDsn}");
    });
    Sentry.captureException(new Exception("Test error: Java"));
  }
}`,
  },
  {
    id: 'go',
    name: 'Go',
    install: 'go get github.com/getsentry/sentry-go',
    remark: 'In a new folder, first run: go mod init shop',
    run: { file: 'main.go', command: 'go run .' },
    code: ({ serverDsn }) => `package main

import (
	"errors"
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn: "${serverDsn}",
	})
	if err != nil {
		log.Fatal(err)
	}
	defer sentry.Flush(2 * time.Second)
	sentry.CaptureException(errors.New("Test error: Go"))
}`,
  },
  {
    id: 'php',
    name: 'PHP',
    install: 'composer require sentry/sentry',
    run: { file: 'app.php', command: 'php app.php' },
    code: ({ serverDsn }) => `<?php
require 'vendor/autoload.php';

\\Sentry\\init(['dsn' => '${serverDsn}']);
\\Sentry\\captureException(new \\Exception('Test error: PHP'));`,
  },
  {
    id: 'ruby',
    name: 'Ruby',
    install: 'gem install sentry-ruby',
    run: { file: 'app.rb', command: 'ruby app.rb' },
    code: ({ serverDsn }) => `require 'sentry-ruby'

Sentry.init do |config|
  config.dsn = '${serverDsn}'
end
Sentry.capture_exception(StandardError.new('Test error: Ruby'))`,
  },
  {
    id: 'dotnet',
    name: '.NET',
    install: 'dotnet add package Sentry',
    remark: 'In a new folder, first run: dotnet new console',
    run: { file: 'Program.cs', command: 'dotnet run' },
    code: ({ serverDsn }) => `using Sentry;

using var sentry = SentrySdk.Init(options =>
{
    options.Dsn = "${serverDsn}";
});
SentrySdk.CaptureException(new Exception("Test error: .NET"));`,
  },
  {
    id: 'nest',
    name: 'Nest module',
    install: 'npm install <folder of errata>/build/errata-nest-0.1.0.tgz',
    remark:
      'Without nest start, source lines in the answers need "inlineSources": true beside "sourceMap": true in tsconfig.json.',
    use: 'Start the application on a free port, and open its path /test-error: the error appears here. (make pack writes the package.)',
    code: ({ serverDsn }) => `import { Controller, Get, Module } from '@nestjs/common';
import { ErrorReportingModule } from 'errata-nest';

@Controller('test-error')
class TestErrorController {
  @Get()
  fail(): never {
    throw new Error('Test error: Nest module');
  }
}

@Module({
  imports: [
    ErrorReportingModule.forRoot({
      settings: { SENTRY_DSN: '${serverDsn}' },
    }),
  ],
  controllers: [TestErrorController],
})
export class AppModule {}`,
  },
  {
    id: 'sentry-cli',
    name: 'sentry-cli',
    install: 'npm install @sentry/cli',
    code: ({ serverDsn }) =>
      `SENTRY_DSN='${serverDsn}' npx @sentry/cli send-event --message 'Test error: sentry-cli'`,
  },
  {
    id: 'curl',
    name: 'curl',
    install: null,
    code: ({ serverDsn }) => {
      const { url, key } = storeEndpoint(serverDsn);
      return `curl '${url}' \\
  --header 'X-Sentry-Auth: Sentry sentry_version=7, sentry_key=${key}' \\
  --data '{"platform": "other", "message": "Test error: curl"}'`;
    },
  },
];

export const WAYS: readonly Way[] = [
  BROWSER,
  REACT,
  ...SERVER_WAYS.map((way) => ({ ...way, needsServerKey: true })),
];
