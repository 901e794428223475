/**
 * English words, and a few from other languages, that are one or two letters away from a keyword. Such a name is more likely an annotation
 * than a misspelt keyword.
 */
export const ownWords: ReadonlySet<string> = new Set(
  `
aal aby acquired addition additionally additions adscription adynamic ail ain ala alb ale alf allod allot allow alloy
ally aloof alp als alt alu ames amin ana ancho anchor anchos and ane ani ann ans ant anyon appendent aread ary
ascription awl awny axites ball bead bin bone bread call cames camples canst cany captains coast cocains
codependencies codependent coding coltans commend comment conations concent cone congaing conins conjoins cons consent
constrains contacts contadina contadinas contadine contadini contadino contagions contain contained container
containers contemns contend contest context contline contlines contrails convent coost cortins cost cotans countians
cursive curtains dames dead debs dec decedent decoding decryption decursive def defaecated defecated defendant defi
defiliations definition definitional definitises definitives definitizes defis defo deft defunctions defy degs delfs
dels dens dependances dependancies dependant dependants depended dependence dependences dependency dependently
depending deponent deprecate deprecates deprecator depreciate depreciated depreciates depredate depredated depredates
descendent descripcion descriptive descriptor desorption despondencies despondent deus devaluated devs dews deys difs
din disproperties done dread ease ell els elusive enc encaging encasing encaving enclosing enclouding encoring ending
endowing ene enfolding engoring enjoying enmoving enquired enrobing ensamples enzoning erf eroding escoting esquired
esse evaluated examines examplar examplars example exampled excessive exciding exciples exclusion exclusively
excursive excusive exemple exemples explosive expulsive extrusive fall fames fax fin finites fmt fone fonly forgat
forma formaat formal formant formato fountains gall games gin gone hall hames head hin hone hype ill impendencies
impendent imprecated inceding inclusive incoming incursive independencies independent inly inquired inscription item
itens james jin kames kef kin kype lall lames lax lead leadenly lengthy lin lone maa mac mad mae mag maihems main
major mak mal mall mam man many map mar mas mat maw max maxi maxims maximums maximus maxixes may mead mediad mediae
medial median medic medii medina mein men mib mic mid mien mig mil mim min mina mind mine ming mini miniates minicams
minicoms minims minimums minimus ministers minium miniums minivers minivets mink mino minor minsters mint minters
minutes minx miny mir mis mix miz mon mondains montems mountains multiage multipage multiped multipede multiplane
multiple multiples multiplet multiplets multiplex multiplexor multiplied multiplier multiplies multiply multipole
multipoles multirole multiuse mun munites mux nabes named namer namers nams namus napes nares nates naves nay nazes
nef neum nomes noncoding none num obe obtains occlusive ode oily oke ole once oncoming onely oner onie onlay ono ons
ony ope ore oread ose owe owly oye pall pastern patten patter patters pax pendencies pendent pin pinites pone poperies
popery poverties poverty precursive premix prescription procerities procerity proper properdins properer properly
propers propertied prosperities prosperity qin rad rax reacquired readably readd readerly readily ready reak real ream
rean reap rear reb reburied rec recessive reclusive recoding recured recurred recurse recursing recursion recursively
recurve red redefinitions redescription redia ree reed reef reevaluated refired refix reft reg reh rehired rei reif
rem ren rend reo rep repaired repulsive repured requered requeres requiem require requirer requirers requires requite
requited requiter requites requitted requoted res resamples respired ret retired rev revaluated revulsive rew rewired
rex rez riad rif rin rite road rone roperies ropery rype sall sames samples sax schema scheme schemes seclusive
sequined sin snooding sny some sone sonly squired stems sype tall tames tape tax taxites tead teen tef tems ten than
the thee thegn thein them thew they thin thon tile tin tipo tite titel tithe titre tittel tittle titule titulo tone
tope tramples tread tref trite tyde tye tyee tyke tyne typed typey typo typp typy tyre tyte ubique unboding uncoping
uncording unexclusive uniquer unrequired urite vin vocabular vocabulary waite wall wames wany wax whamples white win
wite wrate writ writer writerly writhe writs wrote yead yin zany zax zin zone
`.match(/[a-z]+/g),
);
