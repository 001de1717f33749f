-- 0044-notice-deliveries: how notices reach their readers beside the inbox, and what each reader has chosen.
-- The column of users is generated from the model.

alter table "users" add column "digest_at" varchar(5);

-- The record that a notice is about: only who may read it at the time of a letter receives the letter.
alter table notices add column resource varchar(63);
alter table notices add column document_id integer;
-- False for a reader who wants the kind by other ways only.
alter table notices add column in_inbox boolean not null default true;
drop index notices_unread_idx;
create index notices_unread_idx on notices (user_id) where read_at is null and in_inbox;
-- Events that were noticed already.
create index notices_event_idx on notices (kind, key) where key is not null;

-- What a reader has chosen for a kind; without a row the declaration of the kind holds.
create table notice_choices (
  user_id integer not null references users (id) on delete cascade,
  kind varchar(63) not null,
  channel varchar(7) not null check (channel in ('inbox', 'letter')),
  choice varchar(7) not null check (choice in ('off', 'now', 'daily')),
  primary key (user_id, kind, channel)
);

-- Letters of notices, written together with the notice.
create table notice_deliveries (
  notice_id integer not null references notices (id) on delete cascade,
  channel varchar(7) not null check (channel in ('letter')),
  -- Whether the delivery waits for the daily digest of its reader.
  digest boolean not null default false,
  due_at timestamptz(3) not null,
  state varchar(7) not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'dropped')),
  attempts integer not null default 0,
  -- The least notice of the letter, the same in every attempt.
  batch integer,
  -- The end of the attempt, or of the time after which it counts as interrupted.
  changed_at timestamptz(3) not null default now(),
  -- Why a delivery was dropped or repeated.
  reason varchar(31),
  primary key (notice_id, channel)
);
create index notice_deliveries_due_idx on notice_deliveries (channel, due_at) where state in ('waiting', 'sending');
create index notice_deliveries_batch_idx on notice_deliveries (batch) where batch is not null;
