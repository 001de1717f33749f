-- 0047-push: notices in browsers while the panel is closed.

alter table notice_choices drop constraint notice_choices_channel_check;
alter table notice_choices add constraint notice_choices_channel_check check (channel in ('inbox', 'letter', 'push'));
alter table notice_deliveries drop constraint notice_deliveries_channel_check;
alter table notice_deliveries add constraint notice_deliveries_channel_check check (channel in ('letter', 'push'));
-- Sessions whose browsers need no further attempt.
alter table notice_deliveries add column reached uuid[] not null default '{}';

-- The keys by which push services recognise this installation, made once; the private one is sealed.
create table push_keys (
  id integer primary key check (id = 1),
  public_key varchar(128) not null,
  private_key varchar(255) not null,
  created_at timestamptz(3) not null default now()
);

-- The browser of a session; its subscription ends with the session.
create table push_subscriptions (
  session_id uuid primary key references sessions (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  endpoint varchar(2048) not null unique,
  p256dh varchar(128) not null,
  auth varchar(64) not null,
  created_at timestamptz(3) not null default now(),
  last_ok_at timestamptz(3),
  -- Messages in a row that its push service did not accept.
  failures integer not null default 0
);
create index push_subscriptions_user_idx on push_subscriptions (user_id);
