-- 0007-trash-and-keys: what a restore needs, and the keys of requests that must happen once.

-- What a removed row had besides its fields: ids, times, counts (architecture.md, trash).
alter table revisions add column kept jsonb;
-- Names everything that one delete took, so that one restore brings it back.
alter table revisions add column removal uuid;
alter table revisions drop constraint revisions_operation_check;
alter table revisions add constraint revisions_operation_check
  check (operation in ('create', 'update', 'remove', 'restore'));
create index revisions_removal_idx on revisions (removal) where removal is not null;
create index revisions_removed_entry_idx on revisions (resource, (kept ->> 'entry')) where operation = 'remove';

create table idempotency_keys (
  user_id integer not null references users (id) on delete cascade,
  key varchar(255) not null,
  digest char(64) not null,
  status integer,
  answer json,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);
