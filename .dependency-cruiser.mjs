/** Import directions between the folders (docs/architecture.md); `npm run check` refuses the rest. */

const tests = '\\.(test|test-d)\\.tsx?$|/testing/'

/** No file of `from` (a folder) may import the folders in `to`; tests may reach further down, never up. */
function never(name, from, to, comment) {
  return { name, comment, severity: 'error', from: { path: from }, to: { path: to } }
}

/** Features meet in `app/` or through the model, never directly. */
function apartFeatures(room) {
  return {
    name: `${room}-features-apart`,
    comment: 'Features never import each other: compose them in app/, or move the shared part down a folder.',
    severity: 'error',
    from: { path: `^packages/${room}/src/features/([^/]+)/`, pathNot: tests },
    to: { path: `^packages/${room}/src/features/`, pathNot: `^packages/${room}/src/features/$1/` },
  }
}

/** Folders of one package from the top down; a folder may import only what stands after its own line. */
function layers(room, order) {
  const path = (names) => `^packages/${room}/src/(${names.join('|')})`
  const comment = `Directions in ${room}: ${order.map((line) => line.join(', ').replaceAll('/', '').replaceAll('\\.tsx?$', '')).join(' → ')}`
  return order.slice(1).map((names, index) => ({
    name: `${room}-upwards-from-${names[0].replace(/\W/g, '')}`,
    comment,
    severity: 'error',
    from: { path: path(names), pathNot: tests },
    to: { path: path(order.slice(0, index + 1).flat()) },
  }))
}

/** The folders of scripts, each with those that it may import. Only the commands in the root import all of them. */
const scriptFolders = {
  bench: ['proofs', 'simulate', 'lib'],
  proofs: ['release', 'simulate', 'lib'],
  simulate: ['lib'],
  release: ['lib'],
  fuzz: ['lib'],
  pictures: ['lib'],
  checks: ['lib'],
  tests: ['lib'],
  lib: [],
}

/** What scripts may import of the rest of the repository, each file by name (`packages/server/src/` left out). */
const serverDoors = [
  'app.ts',
  'settings.ts',
  'behaviours/index.ts',
  'db/calendar.ts',
  'db/database.ts',
  'db/migrate.ts',
  'db/open-data.ts',
  'db/prepared.ts',
  'db/sql.ts',
  'db/work-queue.ts',
  'domain/conversations/complete-facts.ts',
  'domain/delivery/notices.ts',
  'features/operations/table-statistics.ts',
  'features/statistics/by-day/recount.ts',
  'db/backups/restore.ts',
  'db/backups/sealed-file.ts',
  'features/backups/backup-rows.ts',
  'features/backups/backup-runner.ts',
  'features/backups/fetch-backup.ts',
  'features/memory/changed-texts.ts',
  'features/memory/segment-rows.ts',
  'features/memory/suggest.ts',
  'features/trade/decision-notices.ts',
  'features/uploads/open-uploads.ts',
  'resources/attributes.ts',
  'resources/read/parse-query.ts',
  'resources/read/read.ts',
  'seed/index.ts',
  'seed/calendar.ts',
  'seed/later.ts',
  'seed/data/districts.json',
  'seed/data/samples.json',
  'seed/data/statistics.json',
  'seed/season/data/news.json',
  'testing/data-folders.ts',
  'testing/object-store.ts',
  'testing/app.ts',
  'testing/content.ts',
  'testing/database-route.ts',
  'testing/databases.ts',
  'testing/factories.ts',
  'testing/full-room.ts',
  'testing/leaks/sweep.ts',
  'testing/lesson-files.ts',
  'testing/list-plans.ts',
  'testing/pdf-text.ts',
  'testing/people.ts',
  'testing/postgres-cluster.ts',
  'testing/program-environment.ts',
  'testing/push-browser.ts',
  'testing/random-progress.ts',
  'testing/random-reads.ts',
  'testing/report-files.ts',
  'testing/sheets.ts',
  'testing/standby.ts',
  'testing/wide-budgets.ts',
]
const scriptDoors = [
  'packages/model/src/index.ts',
  // Words of two languages, from which the bench of the translation memory makes sentences.
  'packages/model/src/labels/kaa.json',
  'packages/model/src/labels/ru.json',
  ...serverDoors.map((door) => `packages/server/src/${door}`),
  // The state that a client of the chat holds: the simulated ones keep the same.
  'packages/panel/src/features/chat/core/room-log.ts',
  'e2e/new-video.ts',
  'e2e/sign-in.ts',
].map((door) => `^${door.replaceAll('.', '\\.')}$`)

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    never(
      'model-alone',
      '^packages/model/',
      '^(packages/(server|panel)|clients|e2e|scripts)/',
      'The model imports nothing of ours.',
    ),
    {
      name: 'model-pure',
      comment: 'The model has no I/O, no React, no server and no SQL.',
      severity: 'error',
      from: { path: '^packages/model/src/', pathNot: tests },
      to: {
        path: '^(node:)?(fs|http|https|net|child_process|path|url|os)(/|$)|node_modules/(react|fastify|sql-template-tag|pg)/',
      },
    },
    never(
      'server-not-panel',
      '^packages/server/',
      '^(packages/panel|clients|e2e|scripts)/',
      'The server imports the model only.',
    ),
    never(
      'panel-not-server',
      '^packages/panel/',
      '^(packages/server|clients|e2e|scripts)/',
      'The panel imports the model only.',
    ),
    {
      name: 'public-door',
      comment:
        'Another package is reached through its name, not by a path into its folder; the model has doors of its own for contracts.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/',
        pathNot: ['^packages/$1/', '^packages/model/src/(index\\.ts|labels/.*\\.json|api/routes/[\\w/-]+\\.ts)$'],
      },
    },
    {
      name: 'journeys-see-doors-only',
      comment:
        'Journeys use the model, the seed door of the server and its reader of letters, and scripts to start what they need.',
      severity: 'error',
      from: { path: '^e2e/' },
      to: {
        path: '^packages/',
        pathNot: '^packages/(model/src/(index\\.ts|labels/)|server/src/(seed/index|testing/parse-email)\\.ts)',
      },
    },
    never(
      'clients-see-the-wire-only',
      '^clients/',
      '^(packages|e2e)/',
      'Clients know the server by HTTP only; scripts say who may sign in.',
    ),
    {
      name: 'parts-of-scripts-only',
      comment: 'Journeys and clients use what scripts share (scripts/lib), no command, proof or check.',
      severity: 'error',
      from: { path: '^(e2e|clients)/' },
      to: { path: '^scripts/', pathNot: '^scripts/lib/' },
    },
    ...Object.entries(scriptFolders).map(([folder, below]) => ({
      name: `scripts-directions-${folder}`,
      comment: `Directions in scripts: ${folder} imports ${below.join(', ') || 'no other folder'}.`,
      severity: 'error',
      from: { path: `^scripts/${folder}/`, pathNot: tests },
      to: { path: '^scripts/', pathNot: `^scripts/(${[folder, ...below].join('|')})/` },
    })),
    {
      name: 'scripts-see-doors-only',
      comment: 'Scripts reach the rest of the repository through the files that are named for it.',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^(packages|clients|e2e)/', pathNot: scriptDoors },
    },
    ...scriptDoors.map((door) => ({
      name: 'scripts-door-not-needed',
      comment: 'No script imports this file any more: take it out of the list of doors.',
      severity: 'error',
      module: { path: door, numberOfDependentsLessThan: 1 },
      from: { path: '^scripts/' },
    })),
    ...layers('server', [
      ['main\\.ts$', 'commands/'],
      ['app\\.ts$', 'api-document\\.ts$'],
      ['seed/'],
      ['features/'],
      ['behaviours/'],
      ['domain/'],
      ['resources/'],
      ['watching/'],
      ['http/', 'db/'],
      ['settings\\.ts$', 'signals\\.ts$'],
    ]),
    ...layers('panel', [
      ['main\\.tsx?$'],
      ['app/'],
      ['features/'],
      ['account/'],
      ['resource/'],
      ['fields/', 'api/'],
      ['ui/', 'lib/'],
    ]),
    apartFeatures('server'),
    apartFeatures('panel'),
    {
      name: 'testing-only-in-tests',
      comment: 'testing/ is for tests.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: tests },
      to: { path: '^packages/[^/]+/src/testing/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|/data/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
