-- 0035-home: rows of the first page that a person has put off until a moment.

create table home_put_off (
  user_id integer not null references users (id) on delete cascade,
  group_key varchar(31) not null,
  -- An id, or the name of a resource and an id.
  ref varchar(80) not null,
  until timestamptz(3) not null,
  primary key (user_id, group_key, ref)
);
create index home_put_off_until_idx on home_put_off (until);
