-- 0010-two-step: who signs in with a code of an authenticator app beside the password (contract §2).

-- In a table of its own, so that no answer, revision or export of accounts can hold any of it.
create table two_step (
  user_id integer primary key references users (id) on delete cascade,
  secret varchar(64) not null,
  -- Null until a first code has shown that the app knows the secret; until then it asks for nothing.
  confirmed_at timestamptz(3),
  -- The half-minute of the last code that was taken: it and all before it are used up.
  last_step integer not null default 0,
  -- SHA-256 of the codes for a lost app; one that was used is gone.
  recovery text[] not null
);
