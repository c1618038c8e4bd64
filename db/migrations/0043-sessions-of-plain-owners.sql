-- As 0042: with an owner of the tables that is no superuser, 0037 and 0039 changed no row. Sessions without a member counted
-- as authenticated, and open recovery codes had no address.
alter table sessions no force row level security;
alter table recoveries no force row level security;
update sessions set authenticated_at = null
  where authenticated_at is not null and (member_id is null or authenticated_at = '1970-01-01 00:00:00+00');
update recoveries r set email = m.email from members m
  where m.id = r.member_id and r.expires_at > now() and r.email is null;
alter table sessions force row level security;
alter table recoveries force row level security;
