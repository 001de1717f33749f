-- 0026-bounded-writes: e-mail addresses that wait for their link, the order of letters, and sealed second steps.

-- An address counts only when the link of a letter to it was used. One row for an account: a newer one replaces it.
create table email_confirmations (
  user_id integer primary key references users (id) on delete cascade,
  -- The address of the account itself while it was never confirmed, else the one that shall replace it.
  email varchar(255) not null,
  created_at timestamptz(3) not null default now(),
  -- SHA-256 of the code, made when the letter is sent; null until then.
  hash char(64) unique,
  expires_at timestamptz(3)
);

-- Letters that set a password go before all others, however many wait.
create index mails_order_idx on mails ((template <> 'reset'), id) where sent_at is null;

-- A sealed secret is longer than the secret; the program seals those that are stored in clear when it starts.
alter table two_step alter column secret type varchar(255);

create index bulk_jobs_day_idx on bulk_jobs (user_id, created_at);
