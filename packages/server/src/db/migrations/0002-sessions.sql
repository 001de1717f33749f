-- 0002-sessions: who is signed in, and who failed to.

create table sessions (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  address varchar(64),
  agent varchar(255)
);
create index sessions_user_idx on sessions (user_id);
create index sessions_expires_idx on sessions (expires_at);

-- One row per account or address that failed lately; rows of finished windows are cleared when they come up.
create table throttles (
  key varchar(128) primary key,
  failures integer not null,
  window_started_at timestamptz(3) not null
);
create index throttles_window_idx on throttles (window_started_at);
