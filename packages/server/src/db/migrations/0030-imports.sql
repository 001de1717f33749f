-- 0030-imports: imports go on after their file was taken in: rows, corrections, what was written, and what is remembered.

-- Which resources can be imported follows from the model.
alter table insert_excel drop constraint insert_excel_kind_check;
alter table insert_excel add column digest varchar(64);
alter table insert_excel add column progress jsonb;
alter table insert_excel add column reading jsonb;
alter table insert_excel add column summary jsonb;
alter table insert_excel add column same_as jsonb;
alter table insert_excel add column failure jsonb;
alter table insert_excel add column plan jsonb;
alter table insert_excel add column committed_at timestamptz(3);
alter table insert_excel add column reverted_at timestamptz(3);
create index insert_excel_digest_idx on insert_excel (digest);
create index insert_excel_unfinished_idx on insert_excel (id) where state in ('parsing', 'committing');

-- A row of a sheet, from the first one below the headings.
create table import_rows (
  import_id integer not null references insert_excel (id) on delete cascade,
  row integer not null,
  -- The cells by column, without the empty ones at the end.
  cells jsonb not null,
  is_hidden boolean not null default false,
  -- What was typed instead, by key of the field.
  corrected jsonb not null default '{}'::jsonb,
  is_skipped boolean not null default false,
  -- What the write path refused, until the row is corrected.
  refusal jsonb,
  action varchar(6) check (action in ('create', 'update', 'same', 'error', 'skip')),
  has_warning boolean not null default false,
  -- What no two rows may have together.
  keys text[] not null default '{}',
  -- The record that it changes, and the versions that the preview has shown.
  document integer,
  seen text,
  -- The row of the preview, and the values that are written.
  shown jsonb,
  draft jsonb,
  -- What the record was before, and the versions that the commit has left.
  is_written boolean not null default false,
  undo jsonb,
  left_as text,
  primary key (import_id, row)
);
create index import_rows_action_idx on import_rows (import_id, action, row);

-- Headings and names that people have accepted, by the resource that was imported.
create table import_headings (
  kind varchar(63) not null,
  heading text not null,
  key varchar(127) not null,
  accepted_at timestamptz(3) not null default now(),
  primary key (kind, heading)
);
create table import_names (
  kind varchar(63) not null,
  key varchar(127) not null,
  name text not null,
  -- The document that was meant; it may be gone.
  document integer not null,
  accepted_at timestamptz(3) not null default now(),
  primary key (kind, key, name)
);
