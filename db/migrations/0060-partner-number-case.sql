-- A partner number is the same however its letters are written: members sign in by it in either case.
do $$
declare
  twice text;
begin
  select string_agg(format('%s: %s', partner_id, number), ', ') into twice
  from (
    select partner_id, lower(partner_number) as number from members
    where partner_number is not null group by 1, 2 having count(*) > 1
  ) as shared;
  if twice is not null then
    raise exception 'members share a partner number that differs in case only (%); decide whose it is, and start again', twice;
  end if;
end $$;

drop index members_partner_number_once;
create unique index members_partner_number_once on members (partner_id, lower(partner_number))
  where partner_number is not null;
