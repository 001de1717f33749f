-- 0053-user-days: the days on which each user was active, in the report zone, with the first visit of each.

create table user_days (
  user_id integer not null references users (id) on delete cascade,
  day date not null,
  first_at timestamptz(3) not null default now(),
  primary key (user_id, day)
);
create index user_days_first_at_idx on user_days (first_at);
