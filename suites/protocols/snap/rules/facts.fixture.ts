/** The values that two other implementations derive from a test key. All facts in this file are confirmed by two implementations. */
export interface KeyFact {
  tweaked: string;
  internal: string;
  output: string;
  main: string;
  test: string;
}

export const keyFacts: Readonly<Record<"a" | "b" | "c", KeyFact>> = {
  a: {
    tweaked: "37ee7e47c57cadba6fc6cd8f4875680badab2b598ce7cbd2b4205287a93203ce",
    internal: "f76a39d05686e34a4420897e359371836145dd3973e3982568b60f8433adde6e",
    output: "2b07498923bde6b9779fde46f5308dec34f464f01929af5b66be30fc3e0b3011",
    main: "bc1p9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqgsgse397",
    test: "tb1p9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqgslc07l3",
  },
  b: {
    tweaked: "1d5aa2863c8c93165f8438357d7b54633372382805c0e7038aa8560a00c865bb",
    internal: "552c630b64b54bf50210c9e253d38bd4949c72e22873500f6285c2bede312a84",
    output: "3f2520e87f91d97f85f7d1853f2948fdbd26539e0e59ec3d5561767e1945981e",
    main: "bc1p8ujjp6rlj8vhlp0h6xzn722glk7jv5u7pev7c024v9m8ux29nq0qcnnhqz",
    test: "tb1p8ujjp6rlj8vhlp0h6xzn722glk7jv5u7pev7c024v9m8ux29nq0q0m9c6d",
  },
  c: {
    tweaked: "cbb61c809df76d83ed82db975378067859dcee9b7f8d611f794e0e29ef5582bb",
    internal: "0f0fb9a244ad31a369ee02b7abfbbb0bfa3812b9a39ed93346d03d67d412d177",
    output: "4f78821f08f119333f981396ec5941b9f67a05c5302ecb7031861a879bbb0fbb",
    main: "bc1pfaugy8cg7yvnx0uczwtwck2ph8m85pw9xqhvkup3scdg0xamp7asqh49p4",
    test: "tb1pfaugy8cg7yvnx0uczwtwck2ph8m85pw9xqhvkup3scdg0xamp7ashlr2m6",
  },
};

/** Invalid addresses, each with its fault; undefined if only the form is wrong. */
export const addressFacts: readonly (readonly [address: string, fault: string | undefined])[] = [
  ["bc1p9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqgsgse39q", "checksum"],
  ["bc1p9vr5nzfrhhntjaulmer02vydasq0ge8sry567kmxhcc0c0stxqgsgse397", "checksum"],
  ["bc1p9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqgsavfaqu", "checksum"],
  ["bc1pqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqzs2jkusy", "point"],
  ["bc1p9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqg34xdycv", "program"],
  ["bc1pbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "checksum"],
  ["bc1p5d7rjq7g6rdk2yhzqnt9dp8wvscrplqk0zwy63lmgreu9jzyt0mqf3xvn8", "checksum"],
  ["bc1p4qhjn9zdvkux4e44uhx8tc55atqq8xey38e93agfvrg4qkkgs5qsg58g80", "checksum"],
  ["tb1p5d7rjq7g6rdk2yhzqnt9dp8wvscrplqk0zwy63lmgreu9jzyt0mqh6ye4r", "checksum"],
  ["tb1p4qhjn9zdvkux4e44uhx8tc55atqq8xey38e93agfvrg4qkkgs5qshq7wla", "checksum"],
  ["BC1P9VR5NZFRHHNTJAULMER02VYDAS60GE8SRY567KMXHCC0C0STXQGSGSE397", undefined],
  ["bc1p9vr5nzfrhhntjaulmer02vydas60ge8s6ruzmx", undefined],
  ["bc1q9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqgsz8ecaz", undefined],
  ["bc1z9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqgsqdq7t4", undefined],
  ["bcrt1p9vr5nzfrhhntjaulmer02vydas60ge8sry567kmxhcc0c0stxqgsjp9c2t", undefined],
];

/** The key that signs a message, the digest of the message, and the signature. */
export const signatureFacts: readonly (readonly [key: "a" | "b", digest: string, sig: string])[] = [
  [
    "a",
    "d36a86d6b0dcb78217cd5a411b640538f14bda0b878e4cb8e29cc5e05395ff2c",
    "e0c1cf76f60394a4dbc8cfed3c5a7524b606e4fec5ea299de7ae9b165cd22f794e5f4a8623a7d874dc969859eab2ed009095055dd3011226081d5a42f80590e5",
  ],
  [
    "a",
    "44117d2f463f47f778bd5c6a2bda89aa64c2fc6e42f3f13d3cef062346889968",
    "9abdd4cb55408c03252d4290926e4838d1b704fca21986f67951a486fc2987fbda830cc4cd4535f19cb1d7217f4db2a0f494d27ec949bc660e2845bdd6ed5834",
  ],
  [
    "a",
    "db28ea20d626c8bae543a2ca97cde1193a87b50cb738a3d0eec611ba59383828",
    "1b71114b2331a4658a891bd827a5b4e046e2686fda8045f9ff631c054d0fc294ce8c57f0738f005d327d541866ccaf54144b0963e26588ad1ed6d9e0559dad14",
  ],
  [
    "a",
    "da005d3345d00732f2cc5b83a64d2ab201d8d7cd984368d1bd59feccbeebc792",
    "88f09f465c309ad4694dbb072faf431ec7142f9432fd2b186c2e560d40e119ec259fbe3d2d7e5490a8d944da33205729e3c4ef893ed25ff835daf094ac33f4a4",
  ],
  [
    "b",
    "fedf11dd9f94007d9c3adfb5fc9a3f1522e7694a64490720b3b4d2ef9dfbf4c3",
    "44c89a55ec515aaefbfafa376aca5afee3587aee3b2f0547112dce0f933719eb026f94ba85c14c8e64ec9f74f0dee412eab4c9b1bbf83a2c9317a06d3591e73c",
  ],
  [
    "a",
    "92ed3f529bc20bf70de6eee9c5713802567902a736b56f8493ad7211398ec1d2",
    "2bfba07319c255acaf40f6db09008884fac47e35cbab5aa28d35f344fa35fbd47e345fdd189701dd5f39d6e43dac78d61bd9144afc61af602f13e3c8fc09abe9",
  ],
  [
    "a",
    "3861455c3687e9d2e9a7c394abbabaf7a079bfa95bee24a8643a42f29111a8ad",
    "22a886507fa88daf475c020a4ad03c552f13f4c80ce11dfc9cfe693211efcd3ad2ad11df0cf6202c56d58eefdcbc070d93a0986f0fc1e5840d626621c2ed3bcc",
  ],
];

/** Digests of messages from A, with signatures by a different key or over different bytes. */
export const forgeryFacts: readonly (readonly [digest: string, sig: string])[] = [
  [
    "62c7b263c58387e567a82873f5df4e66633f207081d075beede6120a297535bb",
    "46a0e2730f46f0d81a3719690ea199b76c8b0cad8c96c8721882684c9c64df39f626bfd288ac9b4a5fe86c8450596371adf4fbbbabb7666bda009598b53293ee",
  ],
  [
    "4a7e5f20f8104ca4b66f30e286fd7f4353e44814ca3151968b9f1866c02a4609",
    "f6cacfc0c2903cb39340bfa0cad5f8e4edeb77fe6427e32bbc3d08b65bab6100743f7aa2e97698f09dc6ba4556222fd1d69181b06bf3427244837d97a4319584",
  ],
  [
    "b08634fd794a118927f5c10268c869e14116e54030cb403eeacdb70b72bb9d2d",
    "79a276d0825ac647dee88bbbeb3f63172544151bbb2914c40af7811c5858d7f49c1cd3cf82fcfd9146ccabb17578c39c4dd888b062bb64653904713d7c04adaf",
  ],
];

/** The digest and signature of each derived message, by its id. */
export const derivedFacts: Readonly<Record<string, readonly [digest: string, sig: string]>> = {
  "der-evt-1": [
    "e89aca3cacfda042d06e1f133aea2dbb4b6a76f3e1c32e4d5f6c3de09d387b79",
    "24357bdf1ff7271c6318f640feb018056a20aecbeec2526d4870ea06bebc8b032a0158ee46b0edb25cb6f96c6456be82a61997e0a9ca54bb3ada8d7000583244",
  ],
  "der-tn-1": [
    "2edb879165a8f8bd2ac1ae49aa0a02a71ffaee7d138ad56b20b4c629bbb65f86",
    "883b126ddcf7d19e85b8b8ee7ca05bdae5c3cbcc9481b8c8545761a4c2dd85c52a04539cb339b4e6d133878b46f1b27c0fde48ec515a5070aa99433adbd64831",
  ],
  "der-rs-1": [
    "6cdfc37b884b447e21743b0e0b1996c94404f9d9161132238c732270efb9d272",
    "b96d23c3d6354ed0de20fcde95e3fc25998dc8d455b330109068d07b38c601eb66c6cb65adf24c922154f9ccb767283789b52b86fb41fe626d34b81be9ba7fb8",
  ],
  "der-jcs-1": [
    "920d1ae13ed8d582006e0edb6b1704b9c1b685175b35ba8e22a0dbfec6145dc4",
    "92b99ed3658a9a4d473fefed2298ca145ece2350691124908561f8bfa046364cc4e5a82b32ad40b00dd0eed800907707b2e3059b87be146afe8e72ca19ce65ba",
  ],
  "der-neg-1": [
    "38a0305f5c36eb4a43245786d32a0f358d59f539e0207e1d70b62df1c42f5086",
    "bf7f4702323cf1fe4fe4fb615fdde9a15b4fb7706b3beb3c6f7db1298db2eccc4e9bea4701a1a19817a03b360f8aac04672e485be1ada23e7ce573e722c4190d",
  ],
  "der-svc-1": [
    "449e84ad9f14db4e518028af7eb7571178a17c97d116c3b12f62a28fc835e178",
    "97ae192816a7adc3df5bcea17c05c516938b9e7a4ade44a9dc38fde7a3acfa8f7c99f3d10a6a4a59fcd76598d84c8218978af82269547156c7ff74bc8caff601",
  ],
  "der-mix-1": [
    "1308f45d2558806d32e523190c3c619fb9dbbe51ac25c3e01e5b378be4b0aff6",
    "a70b1ee12ca7b0fa70c48706aabcefc1fd3e8977546536f3836a1b2b62133fc874bc4b5bd1ab9474f1ec5164d0db67dbea913b8479e542d2a7f1e3665d744953",
  ],
};

/** A's signatures of the derived messages with a mistake, by the name of the mistake. */
export const mistakeFacts: Readonly<Record<string, string>> = {
  "version-added":
    "f526dcb8333dfba37ea1368f6ad6ef5941dbf37d376305004b59b5d78f1ac2603e28042d957b1199837c308b5f7e14b2cda3fe1d99bb987ae6a2951a463529fc",
  "pipes-and-version":
    "f6c6d13898dd4b31875d69798569f0fc7e047e27e21713fabf6ce4dc27f16d4b1dae4da1d13094d7e4fe767e1cb3d7c2599e4103a89d97b345c72ef38925cdf8",
  pipes:
    "25f5ea75dde739aa8d94ee8cc68065a7586ec5e68c87b2533332b03b8274760e1ad8bfbf1b336d9aec8d45439eb8047c6170bf84ee1ac8b1813c54834a61c692",
  "line-feeds":
    "1e231dcf5c426c587935afdaa69131e164a397b5e2b38378264266f6d99944c4e226bd7d3342b1b37216ad3df12f4cba6c1c9aedd26181e585bb3bf947bbd12a",
  "insertion-order":
    "5efefd0b2cda9d372ffd6b0bbefe7d2ccc15d4976a98e1ab6d7d56147b26db2c8aed87420ab89893d56d1afc5fa9930c793a74609c4da4d188aefdb73d19d3aa",
  spaces:
    "3c684b68b679bf4de66a44d2e6b6a36e3c15a5614fe05b6a326063a9757bd46a1726b23d80f92f4a72bd0b5e7c2e34309f3625f604de64d35dece277bec20165",
  ascii:
    "89e6144c380dc2f8da5be998f351b5008cdf240ddee160fb2657c317b03f16b793476906ccf3a8b7f06849edc1941b85db88eee334ebacc63bcbc60ba420e6c2",
  fraction:
    "7523482920484d6ceda5e6f0e4e0635ed42a59db1916a724336420dfc082cff40960fefddcfa41322125eafc55fc8d99292d39ab2946ffb649ca22dfac71b102",
  milliseconds:
    "e2c99ee40b02acb9af33c22c38203af590e79fc5685eec1996f3cd2a444a345b7adcbb5e29ca3843dd58932277ef65c818ae029bf2ceed38d2b47f07e56e158f",
  twice:
    "f16e2f6eb3d5f004c7ac2679ce680f2abbba4e9e08d1020869c818de6a1884e8534285c93f59b5b15746d9251e9bec6cd55b1bae4c6ca1229e7245b4e3463b23",
  tagged:
    "1ca14ea0dc463f13172d11703c2c5999a057baf50a617a82f7e82df6e5d4d4c3d3dab0668d65e35bd824bf675074f228bdc8af928ee3e19c827f603f04796c99",
  "trailing-separator":
    "fc18a014d656b315c59e78181a85f2c55284082f7e89f69acec8f7152a4a60af5c3fe944e30b5cb5dc52f8d431d030463d01fba485e2c7336db86b70a2006441",
  "to-dropped":
    "dacbe78165cd6424113d74ba80b2236a3bb5e2c91a662a8f294590d874c8b65e760bd034588f79d8f225ccc5560c9f64735b51cc308a471e45a37157ca31e157",
};

/** Signatures of the message `der-neg-1` that are wrong in other ways. */
export const wrongFacts: Readonly<Record<string, string>> = {
  untweaked:
    "90688c33c6ba7d8d07810725375107ad2c7fa15dcbe2d7de05e167426b5c0989c12a5b35e00112abf5b2d905f2f922b72b27039dc2bf06a6b071483c9de1ca2d",
  recipient:
    "2df6a25cf4457922bceb0108ed2f27d55cc88e03bc61deb18475755fe0d0f623848aad931ae695a7c218ac17f0135db265ddb5593d0d432d6f4a767b6c999d36",
  method:
    "d529ba56ce96dbba3b163fabd98524fa46396d0bc811ad33e11be28bd98aabe86037dbc0e6f0836795547da0fada4d1125759bce6c80fc11084552be722acb3d",
  type: "c83f5e5c2352c0ecac71d65cfe4077b323f5bb73fb20dcb10d43f4148fecd96bb42eae2ef203ff8d04ebabfd3f01dcb4a427d897ec1231b02d572f754d4e1224",
  id: "2d545dbb802aa06a0ea7b7b37c934a7edbd515c7fe820686f9910cb201d1713fdbb6fe1748485c4c8809165f9d6fca4fb8be16588573a633858c6ee8f04f64ba",
  order:
    "bf7f4702323cf1fe4fe4fb615fdde9a15b4fb7706b3beb3c6f7db1298db2ecccfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
  prime:
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f4e9bea4701a1a19817a03b360f8aac04672e485be1ada23e7ce573e722c4190d",
  negated:
    "bf7f4702323cf1fe4fe4fb615fdde9a15b4fb7706b3beb3c6f7db1298db2ecccb16415b8fe5e5e67e85fc4c9f07553fa5380948acd9afdfd42eceaa5ad722834",
  zeros:
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
};

/** The digest and signature of a served card. */
export const cardFact: readonly [digest: string, sig: string] = [
  "f9df03be2b84847b1198e810cfa16f4bd40ca35ac5793b9887d52c4b23932c53",
  "257d8a25bbf2b45c82de3bc6231719bfe6157349a14f62b44e804c5b2a235c7fddde781b2dc3b219405a9070f40380268fd570c015fdc84208f9ea593bb49bf7",
];

/** Changes that make the served card untrustworthy. */
export const cardForgeries: readonly (readonly [change: string, publicKey: string, sig: string])[] = [
  [
    "internal",
    "f76a39d05686e34a4420897e359371836145dd3973e3982568b60f8433adde6e",
    "9b20a91ec5eb9c88bd455a8c89e0ee6021e426ca755b04498db4afe0e3a87089a0569d31310c3d37ba5bdf790f7db2a621442eca119dc74d9c64517b19ec2353",
  ],
  [
    "foreign",
    "3f2520e87f91d97f85f7d1853f2948fdbd26539e0e59ec3d5561767e1945981e",
    "c2119d622631df0d49ccc850cdb917827591ed56a39ca42068e8fb12d99a142c6280538e30462a7bd866dcca5623b7c959343830b69e5106d6473dd5e1cd6e20",
  ],
  [
    "timestamp",
    "2b07498923bde6b9779fde46f5308dec34f464f01929af5b66be30fc3e0b3011",
    "257d8a25bbf2b45c82de3bc6231719bfe6157349a14f62b44e804c5b2a235c7fddde781b2dc3b219405a9070f40380268fd570c015fdc84208f9ea593bb49bf7",
  ],
  [
    "name",
    "2b07498923bde6b9779fde46f5308dec34f464f01929af5b66be30fc3e0b3011",
    "257d8a25bbf2b45c82de3bc6231719bfe6157349a14f62b44e804c5b2a235c7fddde781b2dc3b219405a9070f40380268fd570c015fdc84208f9ea593bb49bf7",
  ],
  [
    "zero-byte",
    "2b07498923bde6b9779fde46f5308dec34f464f01929af5b66be30fc3e0b3011",
    "68596dafb92c872d73089bf8d48fb1fd6d06cb5d24448f1d586943c4466a75cbbdc0518dffef2c144ae6411dcefbc2120de257d85f356a4dcc55b59842aaac29",
  ],
];
